// Making elements. Words that come from a scene enter a page only here, and only as text.

import { num } from "./pen";
import type { Path, Word } from "./types";

export type Attributes = Record<string, string | number>;

export const SVG = "http://www.w3.org/2000/svg";

/** An HTML element with attributes and children; a string child becomes text, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  return furnished(document.createElement(tag), attributes, children);
}

/** An SVG element with attributes and children. */
export function drawn<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: (Node | string)[]): SVGElementTagNameMap[K] {
  return furnished(document.createElementNS(SVG, tag), attributes, children);
}

export function furnished<E extends Element>(made: E, attributes: Attributes, children: (Node | string)[]): E {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** Set an attribute only where it changes: the browser then redraws no more than it must. */
export function renew(made: Element, name: string, value: string | number | null | undefined): void {
  if (value === undefined || value === null) {
    if (made.hasAttribute(name)) made.removeAttribute(name);
  } else if (made.getAttribute(name) !== String(value)) {
    made.setAttribute(name, String(value));
  }
}

/** Keep as many children of one tag as there are things to show, and show each. */
export function matched<T, K extends "path" | "text">(group: Element, things: readonly T[], tag: K, show: (made: Element, thing: T) => void): void {
  while (group.childElementCount > things.length) group.lastElementChild?.remove();
  while (group.childElementCount < things.length) group.append(drawn(tag));
  let child = group.firstElementChild;
  for (const thing of things) {
    if (child === null) break;
    show(child, thing);
    child = child.nextElementSibling;
  }
}

/** Paths for items. */
export function showPaths(group: Element, items: readonly Path[]): void {
  matched(group, items, "path", (path, item) => {
    renew(path, "class", item.kind);
    renew(path, "d", item.d);
    renew(path, "stroke-width", item.width === undefined ? null : num(item.width));
    renew(path, "data-part", item.part);
  });
}

/** Words on the picture. */
export function showTexts(group: Element, texts: readonly Word[]): void {
  matched(group, texts, "text", (made, text) => {
    renew(made, "class", text.kind);
    renew(made, "x", num(text.x));
    renew(made, "y", num(text.y));
    renew(made, "text-anchor", text.anchor);
    if (made.textContent !== text.text) made.textContent = text.text;
  });
}
