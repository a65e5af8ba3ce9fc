// The stage of the player for space, in three.js: what the player asks of its own stage, answered by
// the view that the studio draws space with.

import type { AnyStage, Motion, SceneDocument } from "virtual:player";
import type { LivePose } from "./scene";
import type { Shown } from "./view";
import { SpaceView } from "./space";

const TIP_ROOM = 150; // px that the words beside the pointer may need

/** Whether this browser draws solids; asked quietly, before three.js complains aloud. */
export function isAble(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}

export class SolidStage implements AnyStage {
  readonly element = document.createElement("div");
  readonly hasHands = true;
  private readonly view: SpaceView;
  private readonly tip = document.createElement("div");

  constructor(readonly motion: Motion) {
    this.view = new SpaceView(motion.scene);
    this.tip.className = "tip";
    this.tip.hidden = true;
    this.element.className = "stage solid";
    this.element.append(this.view.element, this.tip);
    this.element.addEventListener("pointermove", (event) => this.point(event.buttons ? null : event));
    this.element.addEventListener("pointerleave", () => this.point(null));
    this.element.addEventListener("dblclick", () => this.home());
  }

  draw(time: number): void {
    this.view.draw(time);
  }

  /** Stand where rows of numbers say, one for every body, whatever the time is. */
  hold(poses: readonly LivePose[] | null): void {
    this.view.hold(poses);
  }

  show(what: string, on: boolean): void {
    this.view.show(what as Shown | "reactions", on);
  }

  choose(body: number | null): void {
    this.view.choose(body);
  }

  home(): void {
    this.view.home();
  }

  look(azimuth: number, elevation: number): void {
    this.view.lookFrom(azimuth, elevation);
  }

  orbit(azimuth: number, elevation: number): void {
    this.view.orbit(azimuth, elevation);
  }

  shift(dx: number, dy: number): void {
    this.view.shift(dx, dy);
  }

  magnify(factor: number): void {
    this.view.zoom(factor);
  }

  /** Say what is under the pointer. */
  point(event: PointerEvent | null): void {
    const frame = this.element.getBoundingClientRect();
    const [x, y] = event ? [event.clientX - frame.left, event.clientY - frame.top] : [0, 0];
    const part = event ? this.view.pick(x, y) : null;
    this.tip.hidden = part === null;
    if (part === null) return;
    this.tip.textContent = part;
    const [left, top] = [Math.min(x + 14, frame.width - TIP_ROOM), Math.max(y - 34, 4)];
    this.tip.style.transform = `translate(${left}px, ${top}px)`;
  }

  /** The picture as it stands, as a file. */
  async saved(): Promise<[Blob, string]> {
    return [await this.view.picture(), "mechanism.png"];
  }

  get scene(): SceneDocument {
    return this.motion.scene;
  }

  seenAt(body: number, point: readonly number[]): number[] {
    return this.view.place(body, point);
  }

  seen(p: readonly number[]): number[] {
    return this.view.project(p);
  }

  under(x: number, y: number, level: readonly number[]): number[] {
    return this.view.unproject(x, y, level);
  }
}
