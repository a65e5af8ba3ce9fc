// The script of a page that plays: the drawing, and `Kempe.mount(element, scene, options)`.

export * from "./core";
export { mount, mountPage } from "./player";
