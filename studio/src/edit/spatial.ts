// New parts of a document in space: bars and solids where they are to lie, joints between bodies as they stand.

import type { Operation } from "../app/actions";
import { members, shown } from "../app/state";
import { freshName, nextLetter, type Spot } from "./making";
import { asLength } from "./units";

export const ENDS = ["spherical", "revolute", "universal", "none"] as const;
export const JOINTS = ["revolute", "spherical", "prismatic", "cylindrical", "universal", "planar", "fixed"] as const;
export const SOLIDS = ["cuboid", "cylinder", "sphere"] as const;
const AXES: Record<string, number[]> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

/** A point by its name, which is exact; else the place. */
function placed(spot: Spot): string | number[] {
  return spot.point && spot.point.body !== "ground" ? spot.point.name : spot.at;
}

/** An axis from typed text: x, y, z, or three numbers. */
export function axisFrom(text: string): number[] | null {
  const clean = text.trim().toLowerCase();
  const sign = clean.startsWith("-") ? -1 : 1;
  const named = AXES[clean.replace(/^[-+]/, "")];
  if (named) return named.map((x) => sign * x);
  const numbers = clean.replace(/[()[\]]/g, "").split(/[,;\s]+/).filter(Boolean).map(Number);
  return numbers.length === 3 && numbers.every(Number.isFinite) && Math.hypot(...numbers) > 0 ? numbers : null;
}

/** A bar from one place to another, joined to the bodies whose points lie there. */
export function barInSpace(from: Spot, to: Spot, ends: string, axis: number[]): { name: string; operations: Operation[] } {
  const name = freshName("bodies", "bar");
  const length = Math.hypot(...from.at.map((x, k) => (to.at[k] ?? 0) - x));
  const operations: Operation[] = [
    { op: "set", path: ["bodies", name], value: { length: asLength(length) } },
    { op: "lay", path: ["bodies", name], at: placed(from), to: placed(to) },
  ];
  const used: string[] = [];
  for (const spot of [from, to]) {
    if (!spot.point || ends === "none") continue;
    const joint = nextLetter(used);
    used.push(joint);
    operations.push({ op: "join", path: ["joints", joint], type: ends, first: spot.point.body, second: name, at: placed(spot), axis });
  }
  return { name, operations };
}

/** A solid with its middle at a place; `size` are its edges, or its diameter and length, in the document's unit. */
export function solidInSpace(spot: Spot, kind: string, size: number[]): { name: string; operations: Operation[] } {
  const name = freshName("bodies", kind);
  const [a = 1, b = a, c = b] = size;
  const solid = kind === "cuboid" ? { type: "cuboid", sides: [a, b, c] }
    : kind === "cylinder" ? { type: "cylinder", radius: a / 2, length: b }
    : { type: "sphere", radius: a / 2 };
  return {
    name,
    operations: [{ op: "set", path: ["bodies", name], value: { at: spot.at.map((x) => asLength(x)), shapes: { solid: { solid, density: "7850 kg/m^3" } } } }],
  };
}

export function joinInSpace(type: string, first: string, second: string, at: Spot, axis: number[]): { name: string; operations: Operation[] } {
  const name = nextLetter([]);
  return { name, operations: [{ op: "join", path: ["joints", name], type, first, second, at: placed(at), axis }] };
}

/** What of a joint can be driven, and how it is called. */
export function drivable(joint: string): string | null {
  const type = members("joints")[joint]?.["type"];
  if (type === "revolute") return `${joint}.angle`;
  return type === "prismatic" ? `${joint}.displacement` : null;
}

export function drivableJoints(): string[] {
  return Object.keys(members("joints")).filter((joint) => drivable(joint) !== null);
}

export function driveInSpace(joint: string, speed: string): Operation[] {
  const measure = drivable(joint) ?? `${joint}.angle`;
  const start = shown.value?.drives.find((one) => one.name === measure)?.value ?? 0;
  return [{ op: "set", path: ["drives", measure], value: { start, speed } }];
}
