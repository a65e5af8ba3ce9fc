// The plane, in SVG: the stage of the player, with the studio's own hands on it.

import { carry, everything, Stage, type BodyPose } from "virtual:player";
import { LiveMotion } from "./live";
import type { LivePose, SceneDocument } from "./scene";
import type { Shown, View } from "./view";

const FREE = { index: 0, share: 0 };

export class PlaneView implements View {
  readonly element: HTMLElement;
  onChange: () => void = () => undefined;
  private stage: Stage;
  private motion: LiveMotion;
  private time: number;
  private shown: Record<Shown, boolean> = { trace: true, ghosts: false, forces: true, names: false };
  private watcher: ResizeObserver;

  constructor(scene: SceneDocument) {
    this.element = document.createElement("div");
    this.element.className = "kempe view-plane";
    this.motion = new LiveMotion(scene);
    this.stage = new Stage(this.motion);
    this.time = this.motion.start;
    this.element.append(this.stage.element);
    this.watcher = new ResizeObserver(() => this.draw(this.time));
    this.watcher.observe(this.element);
    this.hands();
  }

  setScene(scene: SceneDocument, keep: boolean): void {
    const before = this.stage;
    this.motion = new LiveMotion(scene);
    const stage = new Stage(this.motion);
    if (keep) {
      stage.reach = before.reach;
      stage.zoom = before.zoom;
      stage.pan = before.pan;
    }
    before.element.replaceWith(stage.element);
    this.stage = stage;
    this.time = this.motion.start;
    for (const what of Object.keys(this.shown) as Shown[]) stage.show(what, this.shown[what]);
    stage.show("reactions", this.shown.forces);
    this.hands();
    this.draw(this.time);
  }

  draw(time: number): void {
    this.time = time;
    this.stage.draw(time);
    this.onChange();
  }

  hold(poses: readonly LivePose[] | null): void {
    this.motion.hold(poses);
    this.draw(this.time);
  }

  include(): void {
    const held = this.motion.asHeld(() => everything(this.motion));
    if (held === null) return;
    this.stage.reach = [...everything(this.motion), ...held];
    this.stage.camera = null;
    this.draw(this.time);
  }

  show(what: Shown, on: boolean): void {
    this.shown[what] = on;
    this.stage.show(what, on);
    if (what === "forces") this.stage.show("reactions", on);
    this.draw(this.time);
  }

  home(): void {
    this.stage.reach = everything(this.motion);
    this.stage.home();
    this.draw(this.time);
  }

  fit(): void {
    this.home();
  }

  zoom(factor: number): void {
    this.stage.magnify(factor);
    this.draw(this.time);
  }

  nudge(dx: number, dy: number): void {
    this.shift(30 * dx, 30 * dy);
  }

  shift(dx: number, dy: number): void {
    this.stage.shift(dx, dy);
    this.draw(this.time);
  }

  project(point: readonly number[]): [number, number] {
    const camera = this.camera();
    if (camera === null) return [0, 0];
    const [x, y] = camera.project(point.length > 2 ? point : [...point, 0]);
    return [x, y];
  }

  unproject(x: number, y: number): [number, number, number] {
    const camera = this.camera();
    if (camera === null) return [0, 0, 0];
    const along = (x - (camera.origin[0] ?? 0)) / camera.scale;
    const up = ((camera.origin[1] ?? 0) - y) / camera.scale;
    return [along + (camera.focus[0] ?? 0), up + (camera.focus[1] ?? 0), 0];
  }

  place(body: number | null, point: readonly number[]): number[] {
    if (body === null) return [...point];
    const pose: BodyPose | undefined = this.motion.poses(
      this.motion.times.length > 1 ? this.motion.place(this.time) : FREE,
    )[body];
    return pose === undefined ? [...point] : carry(pose, point);
  }

  pick(x: number, y: number): string | null {
    const frame = this.element.getBoundingClientRect();
    const found = document.elementsFromPoint(frame.left + x, frame.top + y);
    const part = found.find((one) => this.stage.svg.contains(one) && one.hasAttribute("data-part"));
    return part?.getAttribute("data-part") ?? null;
  }

  dispose(): void {
    this.watcher.disconnect();
    this.element.remove();
  }

  private camera() {
    if (this.stage.camera === null && this.stage.measure()) this.stage.aim();
    return this.stage.camera;
  }

  /** Drag paper to move it, wheel to zoom, two fingers for both. */
  private hands(): void {
    const host = this.stage.element;
    const held = new Map<number, [number, number]>();
    const middle = () => {
      const all = [...held.values()];
      return [0, 1].map((k) => all.reduce((sum, p) => sum + (p[k as 0 | 1] ?? 0), 0) / all.length);
    };
    const span = () => {
      const [a, b] = [...held.values()];
      return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
    };
    host.addEventListener("pointerdown", (event) => {
      if (event.button > 1) return;
      held.set(event.pointerId, [event.clientX, event.clientY]);
    });
    host.addEventListener("pointermove", (event) => {
      if (!held.has(event.pointerId)) {
        this.stage.point(event);
        return;
      }
      const before = middle();
      const wide = span();
      held.set(event.pointerId, [event.clientX, event.clientY]);
      const after = middle();
      if (!host.hasPointerCapture(event.pointerId)) host.setPointerCapture(event.pointerId);
      this.stage.shift((after[0] ?? 0) - (before[0] ?? 0), (after[1] ?? 0) - (before[1] ?? 0));
      if (wide > 0) {
        const frame = host.getBoundingClientRect();
        this.stage.magnify(span() / wide, [(after[0] ?? 0) - frame.left, (after[1] ?? 0) - frame.top]);
      }
      this.draw(this.time);
    });
    for (const end of ["pointerup", "pointercancel"] as const) {
      host.addEventListener(end, (event) => held.delete(event.pointerId));
    }
    host.addEventListener("pointerleave", () => this.stage.point(null));
    host.addEventListener("wheel", (event) => {
      event.preventDefault();
      const frame = host.getBoundingClientRect();
      const lines = event.deltaMode === 1 ? 16 : 1;
      this.stage.magnify(Math.exp(-0.0015 * lines * event.deltaY), [
        event.clientX - frame.left,
        event.clientY - frame.top,
      ]);
      this.draw(this.time);
    }, { passive: false });
  }
}
