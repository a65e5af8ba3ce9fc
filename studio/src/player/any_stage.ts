// What draws a motion: lines and paths here, or solids by three.js where a page brings them along.

import type { LivePose, SceneDocument } from "../viewer/scene";
import type { Motion } from "./motion";
import { Stage } from "./stage";

/** A drawing that a player, or a live page, moves. */
export interface AnyStage {
  readonly element: HTMLElement;
  readonly motion: Motion;
  readonly scene: SceneDocument;
  /** Whether it follows pointers by itself. */
  readonly hasHands?: boolean;
  home(): void;
  orbit(azimuth: number, elevation: number): void;
  look(azimuth: number, elevation: number): void;
  shift(dx: number, dy: number): void;
  magnify(factor: number, about?: number[]): void;
  show(what: string, on: boolean): void;
  choose(body: number | null): void;
  draw(time: number): void;
  point(event: PointerEvent | null): void;
  saved(css: string): Promise<[Blob, string]>;
  /** Stand where these poses say, instead of where the motion does. */
  hold?(poses: readonly LivePose[] | null): void;
  /** Where a point of a body is in the world now. */
  seenAt(body: number, point: readonly number[]): number[];
  /** Where a point of the world is on the screen, and how near; null before there is a picture. */
  seen(p: readonly number[]): number[] | null;
  /** The point of the world at a place of the screen, as near as another point is. */
  under(x: number, y: number, level: readonly number[]): number[] | null;
}

interface Solids {
  isAble(): boolean;
  SolidStage: new (motion: Motion) => AnyStage;
}

declare global {
  // Of the script with three.js, where a page has one.
  var KempeSpace: Solids | undefined;
}

/** Solids in space where the page brings them and the browser draws them; else lines. */
export function stageFor(motion: Motion): AnyStage {
  const solids = motion.scene.plane || typeof KempeSpace === "undefined" ? undefined : KempeSpace;
  return solids?.isAble() ? new solids.SolidStage(motion) : new Stage(motion);
}
