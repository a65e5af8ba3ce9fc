// What the studio asks of a drawing, in the plane as in space.

import type { LivePose, SceneDocument } from "./scene";

export type Look = "front" | "back" | "right" | "left" | "top" | "bottom" | "corner";
export type Shown = "trace" | "ghosts" | "forces" | "names";

export interface View {
  readonly element: HTMLElement;
  /** Another scene; `keep` leaves the camera where it is. */
  setScene(scene: SceneDocument, keep: boolean): void;
  /** The moment of the scene's own motion. */
  draw(time: number): void;
  /** A pose from elsewhere, until the next scene or `null`. */
  hold(poses: readonly LivePose[] | null): void;
  /** Make room for the pose that is held. */
  include(): void;
  show(what: Shown, on: boolean): void;
  home(): void;
  /** Everything in the picture, seen from where it is seen now. */
  fit(): void;
  zoom(factor: number): void;
  nudge(dx: number, dy: number): void;
  /** Move the picture by pixels. */
  shift(dx: number, dy: number): void;
  /** Where a world point is on the element, px. */
  project(point: readonly number[]): [number, number];
  /** The world point under a place of the element, in the plane of the reader through `through`. */
  unproject(x: number, y: number, through?: readonly number[]): [number, number, number];
  /** World place of a point of a body, now. */
  place(body: number | null, point: readonly number[]): number[];
  /** The name of what is drawn there: a body, `body.point`, or `joint: what it is`. */
  pick(x: number, y: number): string | null;
  /** In space: the place on the level at `height` under a place of the element, as far as one is seen. */
  level?(x: number, y: number, height: number): [number, number, number] | null;
  /** In space: the unit vectors to the right, upwards and towards the reader. */
  sides?(): number[][];
  look?(name: Look): void;
  /** Called whenever what is seen has changed. */
  onChange: () => void;
  dispose(): void;
}
