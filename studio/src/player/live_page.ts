// The script of a live page and of a notebook's widget: the drawing, and what others move.

export * from "./core";
export { mountLive, mountLivePage } from "./live";
