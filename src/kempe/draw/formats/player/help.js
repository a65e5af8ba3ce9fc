// The list of keys.

const KEYS = [
  ["Space", "play or pause"],
  ["\u2190 \u2192", "one sample back or forward"],
  ["PgUp PgDn", "ten samples back or forward"],
  ["Home End", "first or last sample"],
  ["< >", "slower, faster"],
  ["T", "trace: the curves that points draw"],
  ["H", "ghosts: other moments, faintly"],
  ["F", "forces: loads and weights as arrows"],
  ["N", "names of bodies and points"],
  ["G", "plots"],
  ["+ \u2212", "zoom; also wheel or pinch"],
  ["Shift + arrows", "move the picture, or turn it in space; also drag"],
  ["0", "show everything again; also double-click"],
  ["S", "save this picture as SVG"],
  ["?", "this list"],
];
const SPATIAL_KEYS = ["1 2 3", "look from the front, the right, above"];

class Help {
  constructor(scene) {
    const rows = [...KEYS];
    if (!scene.plane) rows.splice(rows.length - 2, 0, SPATIAL_KEYS);
    const list = element("dl", {}, ...rows.flatMap(([keys, does]) => [
      element("dt", {}, ...keys.split(" ").map((key) => (key === "+" && keys.startsWith("Shift") ? "+" : element("kbd", {}, key)))),
      element("dd", {}, does),
    ]));
    const close = button("Close", "Esc", ["Close"], () => this.element.close());
    this.element = element("dialog", { class: "help", "aria-label": "Keys" }, element("h2", {}, "Keys"), list, close);
    this.element.addEventListener("click", (event) => {
      if (event.target === this.element) this.element.close();
    });
  }

  open() {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}
