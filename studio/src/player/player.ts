// The player: time, keys, and what is shown. `mount(root, scene)` puts one into an element.

import type { SceneDocument } from "../viewer/scene";
import { stageFor, type AnyStage } from "./any_stage";
import { Controls, Help } from "./controls";
import { element } from "./element";
import { MOST_VALUED } from "./loads";
import { Motion } from "./motion";
import { Plots } from "./plots";
import { gestures } from "./stage";

interface Options { page?: boolean; css?: string }

export const PAUSE_AT_END = 0.7;
export const LONGEST_FRAME = 0.1;
export const ORBIT_STEP = 6;
export const PAN_STEP = 30;

export class Player {
  readonly motion: Motion;
  readonly stage: AnyStage;
  readonly help: Help;
  readonly controls: Controls;
  readonly plots: Plots;
  time: number;
  private readonly root: HTMLElement;
  private readonly css: string;
  private readonly closes: boolean;
  private readonly status: HTMLElement;
  private readonly shown: Record<string, boolean>;
  private held = 0;
  private frame: number | undefined;

  constructor(root: HTMLElement, scene: SceneDocument, { page = false, css = "" }: Options = {}) {
    this.root = root;
    this.css = css;
    this.motion = new Motion(scene);
    this.time = this.motion.start;
    this.closes = this.motion.closes;
    this.stage = stageFor(this.motion);
    this.help = new Help(scene);
    this.controls = new Controls(this);
    this.plots = new Plots(this.motion, (time) => this.seek(time));
    this.status = element("p", { class: "status", role: "status" });
    this.shown = { trace: true, ghosts: false, forces: true, reactions: scene.reactions.length <= MOST_VALUED, names: scene.names === true, plots: scene.series.length > 0 };
    this.furnish(page);
    for (const what of Object.keys(this.shown)) this.show(what, this.shown[what]);
    if (!this.stage.hasHands) gestures(this.stage, { wheel: page, changed: () => this.draw() });
    new ResizeObserver(() => this.draw()).observe(this.stage.element);
    this.draw();
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!calm && scene.times.length > 1) this.play();
  }

  private furnish(page: boolean): void {
    const { root } = this;
    const title = element("h1", { class: "title" }, this.motion.scene.title);
    root.classList.add("kempe");
    root.classList.toggle("page", page);
    root.tabIndex = -1;
    this.stage.element.append(title);
    const view = element("div", { class: "view" }, this.stage.element, this.plots.element);
    root.replaceChildren(view, this.controls.element, this.help.element, this.status);
    const keyed: Document | HTMLElement = page ? document : root;
    keyed.addEventListener("keydown", (event) => this.key(event as KeyboardEvent));
    if (!page) root.addEventListener("pointerdown", () => root.focus({ preventScroll: true }));
  }

  /** Draw the moment; called after anything changed. */
  draw(): void {
    this.stage.draw(this.time);
    this.plots.draw(this.time);
    this.controls.draw(this.time);
  }

  say(words: string): void {
    this.status.textContent = words;
  }

  get isPlaying(): boolean {
    return this.frame !== undefined;
  }

  play(): void {
    if (this.isPlaying || this.motion.times.length < 2) return;
    if (this.time >= this.motion.end) this.time = this.motion.start;
    let before = performance.now();
    const go = (now: number) => {
      const passed = Math.min(LONGEST_FRAME, Math.max(0, (now - before) / 1000));
      before = now;
      this.advance(passed);
      this.draw();
      this.frame = requestAnimationFrame(go);
    };
    this.frame = requestAnimationFrame(go);
    this.controls.showPlaying(true);
  }

  pause(): void {
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    this.controls.showPlaying(false);
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
    this.say(this.isPlaying ? "Playing" : "Paused");
  }

  /** Let seconds of the reader's time pass. A motion that closes goes round; others rest at the end. */
  advance(passed: number): void {
    const { start, end, duration } = this.motion;
    this.time += passed * Number(this.controls.speed.value);
    if (this.time < end) return;
    if (this.closes) {
      this.time = start + ((this.time - start) % duration);
      return;
    }
    this.time = end;
    this.held += passed;
    if (this.held > PAUSE_AT_END) {
      this.held = 0;
      this.time = start;
    }
  }

  seek(time: number): void {
    this.time = Math.min(this.motion.end, Math.max(this.motion.start, time));
    this.held = 0;
    this.draw();
  }

  /** Go by samples, and stop there. */
  step(count: number): void {
    this.pause();
    const last = this.motion.times.length - 1;
    const { index, share } = this.motion.place(this.time);
    const from = count > 0 ? index : index + (share > 0 ? 1 : 0);
    this.seek(this.motion.times[Math.min(last, Math.max(0, from + count))]);
  }

  show(what: string, on: boolean): void {
    this.shown[what] = on;
    this.controls.showToggle(what, on);
    if (what === "plots") {
      this.plots.element.hidden = !on || !this.plots.plots.length;
    } else {
      this.stage.show(what, on);
    }
    this.draw();
  }

  flip(what: string): void {
    if (!this.controls.toggles[what]) return;
    this.show(what, !this.shown[what]);
    this.say(`${what} ${this.shown[what] ? "shown" : "hidden"}`);
  }

  /** One body by itself, with all that acts on it; null shows all of them. */
  choose(body: number | null): void {
    this.stage.choose(body);
    this.controls.showChosen(body);
    this.say(body === null ? "All bodies" : `Free body: ${this.motion.scene.bodies[body].name}`);
    this.draw();
  }

  /** The picture as it stands, as a file. */
  async save(): Promise<void> {
    const [file, name] = await this.stage.saved(this.css);
    const link = element("a", { href: URL.createObjectURL(file), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    this.say("Picture saved");
  }

  /** Shift and an arrow: turn a spatial scene, move a planar one. */
  nudge(dx: number, dy: number): void {
    if (this.motion.scene.plane) this.stage.shift(PAN_STEP * dx, PAN_STEP * dy);
    else this.stage.orbit(-ORBIT_STEP * dx, ORBIT_STEP * dy);
  }

  key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.element.open) return;
    const tag = event.target instanceof Element ? event.target.tagName : "";
    if (tag === "SELECT") return;
    if (tag === "BUTTON" && (event.key === " " || event.key === "Enter")) return;
    const act = (event.shiftKey && this.shiftedKeys()[event.key]) || this.keys()[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
    this.draw();
  }

  private shiftedKeys(): Record<string, () => void> {
    return {
      ArrowLeft: () => this.nudge(-1, 0),
      ArrowRight: () => this.nudge(1, 0),
      ArrowUp: () => this.nudge(0, -1),
      ArrowDown: () => this.nudge(0, 1),
    };
  }

  private keys(): Record<string, () => void> {
    const { stage, motion } = this;
    const look = (azimuth: number, elevation: number) => () => {
      if (!motion.scene.plane) stage.look(azimuth, elevation);
    };
    const speed = (step: number) => () => this.say(`Speed ${this.controls.changeSpeed(step)}`);
    return {
      " ": () => this.toggle(),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      PageUp: () => this.step(-10),
      PageDown: () => this.step(10),
      Home: () => this.step(-motion.times.length),
      End: () => this.step(motion.times.length),
      "<": speed(-1),
      ">": speed(1),
      t: () => this.flip("trace"),
      h: () => this.flip("ghosts"),
      n: () => this.flip("names"),
      f: () => this.flip("forces"),
      r: () => this.flip("reactions"),
      b: () => this.controls.nextBody(),
      g: () => this.flip("plots"),
      "+": () => stage.magnify(1.25),
      "=": () => stage.magnify(1.25),
      "-": () => stage.magnify(0.8),
      0: () => stage.home(),
      1: look(-90, 0),
      2: look(0, 0),
      3: look(-90, 90),
      s: () => void this.save(),
      "?": () => this.help.open(),
    };
  }
}

/** Put a player for a scene into an element of a page. */
export function mount(root: HTMLElement, scene: SceneDocument, options?: Options): Player {
  return new Player(root, scene, options);
}

/** Start the player of a page of its own: its scene lies in the page as JSON. */
export function mountPage(): Player {
  const text = (id: string) => document.getElementById(id)?.textContent ?? "";
  const root = document.getElementById("kempe-player");
  if (root === null) throw new Error("this page has no place for a player");
  const scene = JSON.parse(text("kempe-scene")) as SceneDocument;
  return mount(root, scene, { page: true, css: text("kempe-theme") });
}
