// The drawing itself: a scene seen through a camera, moment by moment. A pointer orbits it in space and
// pans it in the plane; pinch and wheel zoom.

import type { SceneDocument } from "../viewer/scene";
import type { AnyStage } from "./any_stage";
import { Camera, everything, fittedCamera, FRONT_RIGHT } from "./camera";
import { drawn, element, renew, showPaths, showTexts } from "./element";
import { groundItems, jointItems } from "./joining";
import { arrowScales, arrowsWanted, forceScale, loadPicture, LONGEST_ARROW } from "./loads";
import { carry, type Motion } from "./motion";
import { bodyNames, keptApart, shown, squaredFloor, squaredPaper } from "./paper";
import { at, circle, num } from "./pen";
import { backToFront, bodyItems, ghostItems, LAYERS, mean, pointItems, shadowItems, SORTED_IN_SPACE, tone } from "./picture";
import type { BodyPose, Item, Layer, Place, Shows, View } from "./types";

export const GHOSTS = 10;
export const ZOOM_LIMITS = [0.2, 40];
export const DEGREES_PER_PX = 0.45;
export const ZOOM_PER_WHEEL_PX = 0.0015;

export class Stage implements AnyStage {
  readonly motion: Motion;
  readonly scene: SceneDocument;
  readonly shows: Shows;
  readonly svg: SVGSVGElement;
  readonly element: HTMLElement;
  readonly layers: Record<string, SVGGElement> = {};
  reach: number[][];
  zoom = 1;
  pan = [0, 0];
  camera: Camera | null = null;
  width = 0;
  height = 0;
  private chosen: number | null = null; // the body that is drawn by itself, with all that acts on it
  private view: View = { ...FRONT_RIGHT };
  private pointed: string | null = null;
  private ground: Item[] = [];
  private curves: string[][] = [];
  private readonly tip: HTMLElement;
  private readonly points = new Map<string, number[]>();

  constructor(motion: Motion) {
    this.motion = motion;
    this.scene = motion.scene;
    this.shows = { trace: true, ghosts: false, forces: true, reactions: true, names: this.scene.names === true };
    this.reach = everything(motion);
    this.home();
    this.svg = drawn("svg", { class: "stage-picture", role: "img", "aria-label": this.words() });
    for (const name of [...LAYERS, "ticks", "names", "scale"]) {
      this.layers[name] = drawn("g", { class: `layer-${name}` });
      this.svg.append(this.layers[name]);
    }
    this.svg.insertBefore(this.layers.ticks, this.layers.floor);
    this.tip = element("div", { class: "tip", hidden: "" });
    this.element = element("div", { class: "stage" }, this.svg, this.tip);
  }

  /** The scene in words, for those who cannot see it. */
  words(): string {
    return `${this.scene.title}. Bodies: ${this.scene.bodies.map((body) => body.name).join(", ")}.`;
  }

  /** Back to the view that shows everything. */
  home(): void {
    this.view = { ...FRONT_RIGHT };
    this.zoom = 1;
    this.pan = [0, 0];
    this.pointed = null;
    this.camera = null;
  }

  /** Take the size of the element; true if there is room to draw. */
  measure(): boolean {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth !== this.width || clientHeight !== this.height) {
      this.width = clientWidth;
      this.height = clientHeight;
      this.camera = null;
      renew(this.svg, "viewBox", `0 0 ${this.width} ${this.height}`);
    }
    return this.width > 0 && this.height > 0;
  }

  /** Turn a spatial scene by degrees. */
  orbit(azimuth: number, elevation: number): void {
    this.view.azimuth += azimuth;
    this.view.elevation = Math.min(90, Math.max(-90, this.view.elevation + elevation));
    this.camera = null;
  }

  look(azimuth: number, elevation: number): void {
    this.view = { azimuth, elevation };
    this.pointed = null;
    this.camera = null;
  }

  shift(dx: number, dy: number): void {
    this.pan = [this.pan[0] + dx, this.pan[1] + dy];
    this.camera = null;
  }

  /** Nearer or further by a factor, keeping what is at a point of the screen there. */
  magnify(factor: number, about: number[] = [this.width / 2, this.height / 2]): void {
    const zoom = Math.min(ZOOM_LIMITS[1], Math.max(ZOOM_LIMITS[0], this.zoom * factor));
    const share = zoom / this.zoom;
    const middle = [this.width / 2, this.height / 2];
    this.pan = this.pan.map((x, k) => (about[k] - middle[k]) * (1 - share) + x * share);
    this.zoom = zoom;
    this.camera = null;
  }

  /** The camera as it stands, and everything that only changes when it does. */
  aim(): void {
    if (this.camera) return;
    const fitted = (view: View, most: number) => fittedCamera(this.scene, this.reach, this.width, this.height, view, most);
    const home = fitted(FRONT_RIGHT, Infinity);
    const here = this.scene.plane ? home : fitted(this.view, home.scale);
    const middle = [this.width / 2, this.height / 2];
    const origin = here.origin.map((x, k) => middle[k] + (x - middle[k]) * this.zoom + this.pan[k]);
    this.camera = new Camera({ ...here, scale: here.scale * this.zoom, size: home.size, origin });
    const paper = this.scene.plane
      ? squaredPaper(this.scene, this.camera, this.width, this.height)
      : squaredFloor(this.scene, this.camera, this.height);
    showPaths(this.layers.grid, paper.items);
    showTexts(this.layers.ticks, paper.texts);
    const camera = this.camera;
    this.ground = groundItems(this.scene, camera);
    this.curves = this.scene.traces.map((trace) => this.curve(camera, trace));
    this.layGhosts(camera);
  }

  /** Every sample of a traced point, as words of path data. */
  private curve(camera: Camera, trace: SceneDocument["traces"][number]): string[] {
    return this.scene.times.map((_, index) => {
      const pose = this.motion.pose(trace.body, { index, share: 0 });
      return at(camera.project(carry(pose, trace.point)));
    });
  }

  /** Faint copies at moments spread over the motion. */
  private layGhosts(camera: Camera): void {
    const n = this.scene.times.length;
    const items: Item[] = [];
    const count = this.shows.ghosts ? Math.min(GHOSTS, n) : 0;
    for (let k = 0; k < count; k += 1) {
      const index = Math.round((k * (n - 1)) / Math.max(1, this.motion.closes ? count : count - 1));
      this.scene.bodies.forEach((body, b) => {
        const pose = this.motion.pose(b, { index, share: 0 });
        items.push(...ghostItems(this.scene, camera, body, pose));
      });
    }
    showPaths(this.layers.ghosts, items);
  }

  show(what: string, on: boolean): void {
    this.shows[what] = on;
    this.camera = null;
  }

  /** Everything at one moment. */
  draw(time: number): void {
    if (!this.measure()) return;
    this.aim();
    const { scene, camera } = this;
    if (camera === null) return;
    const place = this.motion.place(time);
    const poses = this.motion.poses(place);
    const items = [...this.ground];
    if (!scene.plane) items.push(...shadowItems(scene, camera, poses));
    const isApart = (...bodies: (number | null)[]) => this.chosen !== null && !bodies.includes(this.chosen);
    const placed = (made: Item[], is: boolean) => items.push(...(is ? made.map((item) => ({ ...item, kind: `${item.kind} apart` })) : made));
    scene.bodies.forEach((body, b) => {
      placed([...bodyItems(scene, camera, body, poses[b]), ...pointItems(scene, camera, body, poses[b])], isApart(b));
    });
    for (const joint of scene.joints) placed(jointItems(scene, camera, joint, poses), isApart(joint.i.body, joint.j.body));
    if (this.shows.trace) items.push(...this.traceItems(camera, place, poses));
    const wanted = arrowsWanted(scene, this.shows, this.chosen);
    const longest = LONGEST_ARROW * Math.hypot(...camera.high.map((x, k) => x - camera.low[k]));
    const scales = arrowScales(wanted, this.motion, place, longest, this.chosen);
    const arrows = loadPicture(scene, camera, this.motion, wanted, scales, place);
    items.push(...arrows.items);
    this.spread(backToFront(items, !scene.plane));
    const named = this.shows.names ? scene.bodies.flatMap((body, b) => (isApart(b) ? [] : bodyNames(scene, camera, body, poses[b]))) : [];
    showTexts(this.layers.names, keptApart(scene, [...named, ...arrows.texts], this.width, this.height));
    this.layScale(camera, forceScale(scales, longest));
    this.renewTip();
  }

  /** One body by itself with what acts on it, or null for all of them. */
  choose(body: number | null): void {
    this.chosen = body;
  }

  /** A bar in the corner as long as the arrow of a round force. */
  private layScale(camera: Camera, found: { words: string; metres: number } | null): void {
    if (!found) {
      this.layers.scale.replaceChildren();
      return;
    }
    const [right, y] = [this.width - 18, 22];
    const left = right - found.metres * camera.scale;
    const d = `M${num(left)} ${y - 4}v8M${num(left)} ${y}H${num(right)}M${num(right)} ${y - 4}v8`;
    const bar = this.layers.scale.querySelector("path") ?? this.layers.scale.appendChild(drawn("path", { class: "load" }));
    const words = this.layers.scale.querySelector("text") ?? this.layers.scale.appendChild(drawn("text", { class: "load-value" }));
    renew(bar, "d", d);
    renew(words, "x", num(left - 8));
    renew(words, "y", y + 4);
    renew(words, "text-anchor", "end");
    if (words.textContent !== found.words) words.textContent = found.words;
  }

  /** Each traced curve: all of it faintly, what is drawn so far, and the point now. */
  private traceItems(camera: Camera, place: Place, poses: BodyPose[]): Item[] {
    const items: Item[] = [];
    this.scene.traces.forEach((trace, k) => {
      const body = this.scene.bodies[trace.body];
      const colour = tone(body.colour);
      const words = this.curves[k];
      const point = carry(poses[trace.body], trace.point);
      const [x, y, near] = camera.project(point);
      const part = `${body.name}.${trace.name}`;
      const soFar = [...words.slice(0, place.index + 1), at([x, y])];
      const d = circle(x, y, this.scene.sizes.pen * camera.size);
      items.push(
        { layer: "faint", kind: `trace-all ${colour}`, d: `M${words.join("L")}`, part },
        { layer: "traces", kind: `trace ${colour}`, d: `M${soFar.join("L")}`, part },
        { layer: "top", kind: `dot ${colour}`, d, near: near + this.scene.sizes.lift * camera.size, part, point },
      );
    });
    return items;
  }

  /** Items into their layers. In space all that is solid shares one, sorted by depth. */
  private spread(items: Item[]): void {
    const heaps: Partial<Record<Layer, Item[]>> = { floor: [], faint: [], under: [], bodies: [], traces: [], top: [] };
    this.points.clear();
    for (const item of items) {
      const together = !this.scene.plane && SORTED_IN_SPACE.includes(item.layer);
      heaps[together ? "bodies" : item.layer]?.push(item);
      if (item.point && item.part !== undefined) this.points.set(item.part, item.point);
    }
    for (const [name, heap] of Object.entries(heaps)) showPaths(this.layers[name], heap);
  }

  seenAt(body: number, point: readonly number[]): number[] {
    return carry(this.motion.pose(body, { index: 0, share: 0 }), point);
  }

  seen(p: readonly number[]): number[] | null {
    return this.camera === null ? null : this.camera.project([p[0], p[1], p[2] ?? 0]);
  }

  under(x: number, y: number, level: readonly number[]): number[] | null {
    const { camera } = this;
    if (camera === null) return null;
    const [u, v] = camera.project([level[0], level[1], level[2] ?? 0]);
    const [right, up] = [(x - u) / camera.scale, (v - y) / camera.scale];
    return [0, 1, 2].map((k) => (level[k] ?? 0) + right * camera.rows[0][k] + up * camera.rows[1][k]);
  }

  /** Say what is under the pointer; `event` is null when it has left. */
  point(event: PointerEvent | null): void {
    const target = event?.target;
    const part = target instanceof Element ? target.getAttribute("data-part") : null;
    this.pointed = part || null;
    if (part && event) {
      const frame = this.element.getBoundingClientRect();
      const x = event.clientX - frame.left;
      const y = event.clientY - frame.top;
      this.tip.style.transform = `translate(${num(Math.min(x + 14, this.width - 150))}px, ${num(Math.max(y - 34, 4))}px)`;
    }
    this.renewTip();
  }

  private renewTip(): void {
    this.tip.hidden = !this.pointed;
    if (!this.pointed) return;
    const point = this.points.get(this.pointed);
    const unit = this.scene.unit_scale;
    const digits = (x: number) => shown(x * unit, 4);
    const place = point ? `  (${point.slice(0, this.scene.plane ? 2 : 3).map(digits).join(", ")}) ${this.scene.unit}` : "";
    const words = this.pointed + place;
    if (this.tip.textContent !== words) this.tip.textContent = words;
  }

  /** The picture as it stands, as a file and its name. */
  async saved(css: string): Promise<[Blob, string]> {
    return [new Blob([this.snapshot(css)], { type: "image/svg+xml" }), "mechanism.svg"];
  }

  /** The picture as it stands, as a stand-alone SVG. */
  snapshot(css: string): string {
    const copy = this.svg.cloneNode(true) as SVGSVGElement;
    for (const made of copy.querySelectorAll("[data-part]")) made.removeAttribute("data-part");
    renew(copy, "class", "kempe");
    renew(copy, "width", this.width);
    renew(copy, "height", this.height);
    const paper = drawn("rect", { class: "paper", width: this.width, height: this.height });
    copy.prepend(drawn("title", {}, this.scene.title), drawn("style", {}, css), paper);
    return new XMLSerializer().serializeToString(copy);
  }
}

/** Let people move a stage; `changed` is called after each move. */
export function gestures(stage: AnyStage, { wheel, changed }: { wheel: boolean; changed: () => void }): void {
  const held = new Map<number, number[]>();
  const { element: host } = stage;
  const middle = () => {
    const points = [...held.values()];
    return [mean(points, 0), mean(points, 1)];
  };
  const span = () => {
    const [a, b] = [...held.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };

  host.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    held.set(event.pointerId, [event.clientX, event.clientY]);
    if (event.pointerType !== "mouse") stage.point(event);
  });

  host.addEventListener("pointermove", (event) => {
    if (!held.has(event.pointerId)) {
      stage.point(event);
      return;
    }
    if (!host.hasPointerCapture(event.pointerId)) {
      const [x, y] = held.get(event.pointerId) ?? [0, 0];
      if (held.size < 2 && Math.hypot(event.clientX - x, event.clientY - y) < 3) return;
      host.setPointerCapture(event.pointerId);
      host.classList.add("held");
      stage.point(null);
    }
    const before = middle();
    const wide = held.size === 2 ? span() : 0;
    held.set(event.pointerId, [event.clientX, event.clientY]);
    const after = middle();
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    if (held.size === 1 && !stage.scene.plane && !event.shiftKey) {
      stage.orbit(-DEGREES_PER_PX * dx, DEGREES_PER_PX * dy);
    } else {
      stage.shift(dx, dy);
    }
    if (held.size === 2 && wide > 0) {
      const frame = host.getBoundingClientRect();
      stage.magnify(span() / wide, [after[0] - frame.left, after[1] - frame.top]);
    }
    changed();
  });

  const release = (event: PointerEvent) => {
    held.delete(event.pointerId);
    if (!held.size) host.classList.remove("held");
  };
  host.addEventListener("pointerup", release);
  host.addEventListener("pointercancel", release);
  host.addEventListener("pointerleave", () => stage.point(null));
  host.addEventListener("dblclick", () => {
    stage.home();
    changed();
  });
  host.addEventListener("wheel", (event) => {
    if (!wheel && !event.ctrlKey) return;
    event.preventDefault();
    const frame = host.getBoundingClientRect();
    const lines = event.deltaMode === 1 ? 16 : 1;
    stage.magnify(Math.exp(-ZOOM_PER_WHEEL_PX * lines * event.deltaY), [event.clientX - frame.left, event.clientY - frame.top]);
    changed();
  }, { passive: false });
}
