// Making elements. Words that come from a scene enter a page only here, and only as text.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element with attributes and children; a string child becomes text, never markup. */
function element(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

/** An SVG element with attributes and children. */
function drawn(tag, attributes = {}, ...children) {
  return furnished(document.createElementNS(SVG, tag), attributes, children);
}

function furnished(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Set an attribute only where it changes: the browser then redraws no more than it must. */
function renew(made, name, value) {
  if (value === undefined || value === null) {
    if (made.hasAttribute(name)) made.removeAttribute(name);
  } else if (made.getAttribute(name) !== String(value)) {
    made.setAttribute(name, value);
  }
}

/** Keep as many children of one tag as there are things to show, and show each. */
function matched(group, things, tag, show) {
  while (group.childElementCount > things.length) group.lastElementChild.remove();
  while (group.childElementCount < things.length) group.append(drawn(tag));
  let child = group.firstElementChild;
  for (const thing of things) {
    show(child, thing);
    child = child.nextElementSibling;
  }
}

/** Paths for items. */
function showPaths(group, items) {
  matched(group, items, "path", (path, item) => {
    renew(path, "class", item.kind);
    renew(path, "d", item.d);
    renew(path, "stroke-width", item.width === undefined ? null : num(item.width));
    renew(path, "data-part", item.part);
  });
}

/** Words on the picture. */
function showTexts(group, texts) {
  matched(group, texts, "text", (made, text) => {
    renew(made, "class", text.kind);
    renew(made, "x", num(text.x));
    renew(made, "y", num(text.y));
    renew(made, "text-anchor", text.anchor);
    if (made.textContent !== text.text) made.textContent = text.text;
  });
}
