// A mechanism that somebody else moves: its scene, sliders for what can be set, points to drag.
// `channel` carries plain objects both ways: {send(message), listen(callback)}.

import type { SceneDocument } from "../viewer/scene";
import { stageFor, type AnyStage } from "./any_stage";
import { element } from "./element";
import { Motion } from "./motion";
import { gestures } from "./stage";

const REACH = 16; // pixels from a point within which it is taken hold of

/** One value that can be set, in SI units; kind says what of: a drive or a parameter. */
interface Setting { kind: string; name: string; unit: string; low: number; high: number; value: number }
interface Handle { name: string; body: string; at: number[]; is_draggable: boolean }
interface Told {
  scene?: SceneDocument;
  sliders?: Setting[];
  points?: Handle[];
  poses?: number[];
  values?: Record<string, number>;
  text?: string;
  answer?: boolean;
}
/** What carries plain objects both ways. */
export interface Channel {
  send(message: unknown): void;
  listen(callback: (told: Told) => void): void;
}

/** What a page can ask of its view. */
export interface Live {
  /** Where a point of this name is seen, in px of the window; null where there is none. */
  where(name: string): number[] | null;
}

/** Show a live mechanism in an element. */
export function mountLive(root: HTMLElement, channel: Channel): Live {
  let stage: AnyStage | null = null;
  let points: Handle[] = [];
  let isWaiting = false;
  let next: unknown = null;
  const picture = element("div", { class: "live-picture" });
  const sliders = element("form", { class: "live-sliders", "aria-label": "Values" });
  const status = element("p", { class: "live-status", role: "status" });
  const inputs = new Map<string, (value: number) => void>();
  root.classList.add("kempe", "live");
  root.replaceChildren(picture, sliders, status);

  /** One message at a time: of those that come while one is answered, the newest goes. */
  function ask(message: unknown): void {
    if (isWaiting) {
      next = message;
      return;
    }
    isWaiting = true;
    channel.send(message);
  }

  function begin(scene: SceneDocument, told: Told): void {
    points = told.points ?? [];
    const made = stageFor(new Motion(scene)); // with room for all samples; from here on there is one
    scene.times.length = 1;
    scene.series = [];
    scene.loads = [];
    scene.reactions = [];
    stage = made;
    picture.replaceChildren(made.element);
    if (!made.hasHands) gestures(made, { wheel: true, changed: draw });
    made.element.addEventListener("pointerdown", (event) => grab(made, event), { capture: true });
    sliders.replaceChildren(...(told.sliders ?? []).map((one) => slider(scene, one)));
    document.title = scene.title;
  }

  function slider(scene: SceneDocument, one: Setting): HTMLElement {
    const turns = one.unit === "rad";
    const scale = turns ? 180 / Math.PI : one.unit === "m" ? scene.unit_scale : 1;
    const unit = turns ? "\u00b0" : one.unit === "m" ? scene.unit : one.unit;
    const input = element("input", { type: "range", min: one.low * scale, max: one.high * scale, step: "any" });
    const words = element("output");
    let at = one.value; // where it stands; an angle may have gone round many times
    const rounds = (value: number) => (turns ? 2 * Math.PI * Math.round(value / (2 * Math.PI)) : 0);
    const show = (value: number) => {
      at = value;
      const middle = 0.5 * (one.low + one.high);
      if (document.activeElement !== input || !input.matches(":active")) input.value = String((value - rounds(value - middle)) * scale);
      words.textContent = `${(value * scale).toPrecision(4)} ${unit}`;
    };
    input.addEventListener("input", () => {
      const wanted = Number(input.value) / scale;
      ask({ [one.kind]: { [one.name]: wanted + rounds(at - wanted) } });
    });
    show(one.value);
    inputs.set(one.name, show);
    return element("label", {}, element("span", {}, one.name), input, words);
  }

  /** Put every body where a row of numbers says. */
  function stand(made: AnyStage, poses: number[]): void {
    const { scene } = made;
    const width = scene.plane ? 2 : 3;
    const turned = scene.plane ? 1 : 4;
    if (made.hold) {
      made.hold(scene.bodies.map((_, k) => poses.slice(k * (width + turned), (k + 1) * (width + turned))));
      return;
    }
    scene.bodies.forEach((body, k) => {
      const at = k * (width + turned);
      for (let i = 0; i < width; i += 1) body.position[i] = poses[at + i];
      for (let i = 0; i < turned; i += 1) body.rotation[i] = poses[at + width + i];
    });
    draw();
  }

  function draw(): void {
    stage?.draw(stage.scene.times[0]);
  }

  /** Where a point is in the world. */
  function place(made: AnyStage, point: Handle): number[] | null {
    const k = made.scene.bodies.findIndex((body) => body.name === point.body);
    return k < 0 ? null : made.seenAt(k, point.at);
  }

  /** Where on the screen, as the drawing counts it. */
  function spot(made: AnyStage, event: PointerEvent): [number, number] {
    const box = made.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** Take hold of the nearest point; in space it then goes along with the screen. */
  function grab(made: AnyStage, event: PointerEvent): void {
    if (event.button > 0) return;
    const [x, y] = spot(made, event);
    let best = REACH;
    let held: Handle | null = null;
    let level: number[] = [];
    for (const point of points) {
      const p = point.is_draggable ? place(made, point) : null;
      const seen = p && made.seen(p);
      if (!p || !seen) continue;
      const away = Math.hypot(seen[0] - x, seen[1] - y);
      if (away < best) [best, held, level] = [away, point, p];
    }
    if (held === null) return;
    const { name } = held;
    event.stopPropagation();
    event.preventDefault();
    made.element.setPointerCapture(event.pointerId);
    const move = (e: PointerEvent) => {
      e.stopPropagation();
      const wanted = made.under(...spot(made, e), level);
      if (wanted) ask({ drag: [name, wanted.slice(0, made.scene.plane ? 2 : 3)] });
    };
    const drop = () => made.element.removeEventListener("pointermove", move, { capture: true });
    made.element.addEventListener("pointermove", move, { capture: true });
    made.element.addEventListener("pointerup", drop, { once: true });
    made.element.addEventListener("pointercancel", drop, { once: true });
  }

  channel.listen((told) => {
    if (told.scene) begin(told.scene, told);
    if (told.poses && stage) stand(stage, told.poses);
    for (const [name, value] of Object.entries(told.values ?? {})) inputs.get(name)?.(value);
    if (told.text !== undefined) status.textContent = told.text;
    if (told.answer) {
      isWaiting = false;
      const message = next;
      next = null;
      if (message) ask(message);
    }
  });
  new ResizeObserver(draw).observe(picture);
  return {
    where: (name) => {
      const point = points.find((one) => one.name === name);
      const p = point && stage ? place(stage, point) : null;
      const seen = p && stage?.seen(p);
      if (!seen || !stage) return null;
      const box = stage.element.getBoundingClientRect();
      return [box.left + seen[0], box.top + seen[1]];
    },
  };
}

/** The page of a live mechanism: its channel is a WebSocket to the program that moves it. */
export function mountLivePage(): Live {
  const root = document.getElementById("kempe-live");
  if (root === null) throw new Error("this page has no place for a mechanism");
  const socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/ws`);
  return mountLive(root, {
    send: (message) => socket.send(JSON.stringify(message)),
    listen: (callback) => {
      socket.addEventListener("message", (event) => callback(JSON.parse(event.data) as Told));
      socket.addEventListener("close", () => callback({ text: "The program that moved this has ended." }));
    },
  });
}
