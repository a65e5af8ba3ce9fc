// The bar below the picture: play, step, scrub, speed, what is shown; and the list of keys.

import type { SceneDocument } from "../viewer/scene";
import { drawn, element, renew } from "./element";
import type { Motion } from "./motion";
import { niceStep } from "./paper";
import type { Player } from "./player";

export const ICONS = {
  play: "M6 4.5v11l9-5.5z",
  pause: "M6 4.5h3v11H6zM11 4.5h3v11h-3z",
  back: "M14 5v10l-7-5zM5 5h1.6v10H5z",
  next: "M6 5v10l7-5zM13.4 5H15v10h-1.6z",
  trace: "M3 13c1-8 6-10 8-6s-3 8-5 6 4-9 11-5",
  ghosts: "M4 15L9 5M8 15l4-10M12 15l3-10",
  forces: "M4 16L14 6M8.5 5.2L14.8 5.2L14.8 11.5",
  names: "M4 5h12M10 5v11",
  reactions: "M3 10h5M5.5 7.5L8.3 10L5.5 12.5M17 10h-5M14.5 7.5L11.7 10L14.5 12.5",
  plots: "M3 4v12h14M5 12c2-6 4-6 6-2s3 1 5-4",
};
type IconName = keyof typeof ICONS;
export const OUTLINED: IconName[] = ["trace", "ghosts", "forces", "reactions", "names", "plots"];
export const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5];
export const COMFORTABLE = [0.8, 30];
export const USUAL = 4;
export const KEYS: [string, string][] = [
  ["Space", "play or pause"],
  ["\u2190 \u2192", "one sample back or forward"],
  ["PgUp PgDn", "ten samples back or forward"],
  ["Home End", "first or last sample"],
  ["< >", "slower, faster"],
  ["T", "trace: the curves that points draw"],
  ["H", "ghosts: other moments, faintly"],
  ["F", "forces: loads and weights as arrows"],
  ["R", "reactions of joints, drives and springs"],
  ["B", "the next body by itself, with all that acts on it"],
  ["N", "names of bodies and points"],
  ["G", "plots"],
  ["+ \u2212", "zoom; also wheel or pinch"],
  ["Shift + arrows", "move the picture, or turn it in space; also drag"],
  ["0", "show everything again; also double-click"],
  ["S", "save this picture as SVG"],
  ["?", "this list"],
];
// What a spatial scene is looked at from: azimuth and elevation in degrees, or everything again.
export const VIEWS: Record<string, [number, number] | null> = { corner: null, front: [-90, 0], right: [0, 0], back: [90, 0], left: [180, 0], top: [-90, 90] };
export const SPATIAL_KEYS: [string, string] = ["1 2 3", "look from the front, the right, above"];

/** Playing speeds around the one that suits a motion: real time where that can be watched. */
export function speeds(duration: number): number[] {
  const fits = duration >= COMFORTABLE[0] && duration <= COMFORTABLE[1];
  const base = fits || !(duration > 0) ? 1 : niceStep(duration / USUAL);
  return SPEEDS.map((share) => Number((share * base).toPrecision(3)));
}

export function icon(name: IconName): SVGSVGElement {
  const kind = OUTLINED.includes(name) ? "icon outlined" : "icon";
  return drawn("svg", { class: kind, viewBox: "0 0 20 20", "aria-hidden": "true" }, drawn("path", { d: ICONS[name] }));
}

/** A button; after a click by pointer the keys go back to the player. */
export function button(label: string, keys: string, content: (Node | string)[], act: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", "aria-label": label, title: keys ? `${label} (${keys})` : label }, ...content);
  made.addEventListener("click", (event) => {
    act();
    if (event.detail > 0) made.blur();
  });
  return made;
}

/** A button that stays pressed. */
export function toggle(what: IconName, label: string, key: string, act: () => void): HTMLButtonElement {
  const made = button(label, key, [icon(what), element("span", { class: "word" }, label)], act);
  made.setAttribute("aria-keyshortcuts", key);
  made.classList.add("toggle");
  return made;
}

export class Controls {
  readonly element: HTMLElement;
  readonly speed: HTMLSelectElement;
  readonly toggles: Partial<Record<string, HTMLButtonElement>>;
  private readonly player: Player;
  private readonly motion: Motion;
  private readonly digits: number;
  private readonly playing: HTMLButtonElement;
  private readonly scrub: HTMLInputElement;
  private readonly clock: HTMLElement;
  private readonly bodies: HTMLSelectElement | null;
  private readonly views: HTMLSelectElement | null;

  constructor(player: Player) {
    const { motion } = player;
    this.player = player;
    this.motion = motion;
    this.digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(motion.duration || 1))));
    this.playing = button("Play", "Space", [icon("play")], () => player.toggle());
    this.playing.classList.add("play");
    this.scrub = this.makeScrub();
    this.clock = element("output", { class: "clock" });
    this.speed = this.makeSpeed();
    this.toggles = this.makeToggles();
    this.bodies = this.makeBodies();
    this.views = this.makeViews();
    const help = button("Help", "?", ["?"], () => player.help.open());
    help.classList.add("help-button");
    const row = element("div", { class: "row" },
      button("Step back", "\u2190", [icon("back")], () => player.step(-1)), this.playing,
      button("Step forward", "\u2192", [icon("next")], () => player.step(1)), this.clock, this.speed,
      element("span", { class: "gap" }), ...(this.views ? [this.views] : []), ...(this.bodies ? [this.bodies] : []), ...Object.values(this.toggles).filter((one) => one !== undefined), help);
    this.element = element("div", { class: "controls", role: "toolbar", "aria-label": "Player" },
      element("div", { class: "track" }, this.scrub, this.makeMarks()), row);
    this.element.classList.toggle("still", motion.times.length < 2);
  }

  private makeScrub(): HTMLInputElement {
    const { motion } = this;
    const made = element("input", { type: "range", class: "scrub", min: "0", max: "1000", step: "any", value: "0", "aria-label": "Time" });
    made.addEventListener("input", () => this.player.seek(motion.start + (Number(made.value) / 1000) * motion.duration));
    return made;
  }

  /** Ticks on the play bar for moments that have a name. */
  private makeMarks(): HTMLElement {
    const marks = this.motion.scene.marks.map(({ time, name }) => {
      const made = button(`${name}, at ${time.toFixed(this.digits)} s`, "", [], () => this.player.seek(time));
      made.classList.add("moment");
      made.style.left = `${(100 * (time - this.motion.start)) / (this.motion.duration || 1)}%`;
      return made;
    });
    return element("div", { class: "moments" }, ...marks);
  }

  private makeSpeed(): HTMLSelectElement {
    const made = element("select", { class: "speed", "aria-label": "Speed", title: "Speed (< slower, > faster)" });
    for (const speed of speeds(this.motion.duration)) {
      made.append(element("option", { value: String(speed) }, `\u00d7${speed}`));
    }
    made.selectedIndex = SPEEDS.indexOf(1);
    made.addEventListener("change", () => made.blur());
    return made;
  }

  private makeToggles(): Partial<Record<string, HTMLButtonElement>> {
    const { scene } = this.motion;
    const made: Partial<Record<string, HTMLButtonElement>> = {};
    const add = (what: IconName, label: string, key: string) => {
      made[what] = toggle(what, label, key, () => this.player.flip(what));
    };
    if (scene.traces.length) add("trace", "Trace", "T");
    if (scene.times.length > 1) add("ghosts", "Ghosts", "H");
    if (scene.loads.length) add("forces", "Forces", "F");
    if (scene.reactions.length) add("reactions", "Reactions", "R");
    add("names", "Names", "N");
    if (scene.series.length) add("plots", "Plots", "G");
    return made;
  }

  /** Which body is drawn by itself: of those of which all is known that acts on them. */
  private makeBodies(): HTMLSelectElement | null {
    const { scene } = this.motion;
    const known = scene.free.map((b): [string, number] => [scene.bodies[b].name, b]);
    if (!known.length) return null;
    const made = element("select", { class: "bodies", "aria-label": "Free body", title: "One body by itself (B)" });
    made.append(element("option", { value: "" }, "all bodies"));
    for (const [name, b] of known) made.append(element("option", { value: String(b) }, name));
    made.addEventListener("change", () => {
      this.player.choose(made.value === "" ? null : Number(made.value));
      made.blur();
    });
    return made;
  }

  /** Where a spatial scene is looked at from. */
  private makeViews(): HTMLSelectElement | null {
    if (this.motion.scene.plane) return null;
    const made = element("select", { class: "views", "aria-label": "View", title: "Look from (1 2 3, 0)" });
    for (const name of Object.keys(VIEWS)) made.append(element("option", { value: name }, name));
    made.addEventListener("change", () => {
      const way = VIEWS[made.value];
      if (way) this.player.stage.look(...way);
      else this.player.stage.home();
      this.player.draw();
      made.blur();
    });
    return made;
  }

  nextBody(): void {
    if (!this.bodies) return;
    this.bodies.selectedIndex = (this.bodies.selectedIndex + 1) % this.bodies.options.length;
    this.player.choose(this.bodies.value === "" ? null : Number(this.bodies.value));
  }

  showChosen(body: number | null): void {
    if (this.bodies) this.bodies.value = body === null ? "" : String(body);
  }

  /** One step up or down the list of speeds. */
  changeSpeed(step: number): string {
    const last = this.speed.options.length - 1;
    this.speed.selectedIndex = Math.min(last, Math.max(0, this.speed.selectedIndex + step));
    return this.speed.value;
  }

  showPlaying(on: boolean): void {
    const label = on ? "Pause" : "Play";
    this.playing.replaceChildren(icon(on ? "pause" : "play"));
    renew(this.playing, "aria-label", label);
    renew(this.playing, "title", `${label} (Space)`);
  }

  showToggle(what: string, on: boolean): void {
    const made = this.toggles[what];
    if (made) renew(made, "aria-pressed", String(on));
  }

  draw(time: number): void {
    const words = `${time.toFixed(this.digits)} s`;
    const share = this.motion.duration ? (time - this.motion.start) / this.motion.duration : 0;
    this.scrub.value = String(1000 * share);
    this.scrub.style.setProperty("--done", `${100 * share}%`);
    renew(this.scrub, "aria-valuetext", words);
    if (this.clock.textContent !== words) this.clock.textContent = words;
  }
}

export class Help {
  readonly element: HTMLDialogElement;

  constructor(scene: SceneDocument) {
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

  open(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}
