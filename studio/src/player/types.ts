// What the parts of the drawing hand to one another.

import type { Joint, Load, SceneDocument, SymbolPart, Triple } from "../viewer/scene";

/** x, y and, in the world or seen, z or how near it is. */
export type Point = readonly number[];
/** So that p_W = r + R p_B; R row by row. */
export interface BodyPose { r: number[]; R: number[] }
/** The sample at or before a time, and how far it is to the next one, 0 to 1. */
export interface Place { index: number; share: number }
/** How a scene is looked at, in degrees. */
export interface View { azimuth: number; elevation: number }

export type Layer = "grid" | "floor" | "faint" | "ghosts" | "under" | "bodies" | "traces" | "top";
/** One flat path of a picture; part is the name that hovering shows. */
export interface Item {
  layer: Layer;
  kind: string;
  d: string;
  width?: number;
  near?: number;
  part?: string;
  point?: number[];
}
/** A path by itself, that lies in no layer. */
export type Path = Pick<Item, "kind" | "d" | "width" | "part">;
export interface Word { kind: string; text: string; x: number; y: number; anchor?: string; half?: number }
export interface Drawn { items: Item[]; texts: Word[] }

/** The strokes and solids that stand for a joint or a spring. */
export interface StrokePart { form: "stroke"; points: Triple[] }
export type SignPart = (SymbolPart | StrokePart) & { fill: string; side: "i" | "j" };
export interface Sign {
  says: string;
  solids: SignPart[];
  span: [number, number][][];
  dashed: boolean;
  guide: "none" | "rail" | "slot" | "barrel" | "bore";
  wrap: "none" | "open" | "crossed";
  stand: boolean;
  under: boolean;
  bar: boolean;
}
/** A joint's frame in the world, and as it is seen. */
export interface FramePlace { point: number[]; axes: number[][]; centre: number[]; seen: number[][] }

export interface Wanted { load: Load; sign: number }
export interface Scales { force: number; torque: number }
export interface Arrow { tail: number[]; way: number[]; words: string }

export type Shows = Record<string, boolean>;

/** The symbol of a joint. */
export function signOf(scene: SceneDocument, joint: Joint): Sign {
  return scene.symbols[joint.symbol] as Sign;
}
