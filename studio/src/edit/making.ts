// New parts of a document, as operations: what a tool does once it knows where.

import type { NamedPoint } from "../messages";
import type { Operation } from "../app/actions";
import { isPlane, members } from "../app/state";
import { asAngle, asLength, asPlace, tidy } from "./units";

/**
 * A place that a tool was given: a named point of the drawing, or a place on paper (m). A point that
 * `isNew` lies on the line of a bar and is made with what is drawn there; `isMiddle` halfway along it.
 */
export interface Spot { point: NamedPoint | null; at: [number, number, number]; isNew?: boolean; isMiddle?: boolean }

/** What makes the points that some spots need. */
export function newPoints(spots: readonly Spot[]): Operation[] {
  return spots.flatMap(({ point, isNew }) => (isNew && point
    ? [{ op: "set" as const, path: ["bodies", point.body, "points", point.name.slice(point.body.length + 1)], value: point.at.slice(0, 2).map((x) => asLength(x)) }]
    : []));
}

/** A name that no point of a body has yet. */
export function freshPoint(body: string): string {
  const known = Object.keys((members("bodies")[body]?.["points"] as object | undefined) ?? {});
  for (const letter of "PQRSTUVW") if (!known.includes(letter)) return letter;
  for (let k = 1; ; k += 1) if (!known.includes(`P${k}`)) return `P${k}`;
}

/** A name that nothing has yet: bar1, bar2 ... or A, B ... */
export function freshName(kind: string, stem: string): string {
  const taken = new Set(["bodies", "joints", "forces", "couplers", "gauges", "beams"].flatMap((k) => Object.keys(members(k))));
  if (stem === "") {
    for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZ") if (!taken.has(letter)) return letter;
    stem = kind;
  }
  for (let k = 1; ; k += 1) if (!taken.has(`${stem}${k}`)) return `${stem}${k}`;
}

/** How a joint says where it holds on: `crank.end`, or a place on the ground. */
export function hold(spot: Spot): string | { body: string; at: (number | string)[] } {
  if (spot.point && spot.point.body !== "ground") return spot.point.name;
  return { body: "ground", at: (isPlane.value ? spot.at.slice(0, 2) : spot.at).map((x) => asPlace(x)) };
}

export function spotWords(spot: Spot): string {
  return spot.point ? spot.point.name : (isPlane.value ? spot.at.slice(0, 2) : spot.at).map((x) => asPlace(x)).join(", ");
}

function isOfBody(spot: Spot): boolean {
  return spot.point !== null && spot.point.body !== "ground";
}

function isGround(spot: Spot): boolean {
  return spot.point !== null && spot.point.body === "ground";
}

/** A bar between two spots, hinged to whatever lies there. `length` overrules the distance. */
export function barOperations(from: Spot, to: Spot, length: number | string | null): { name: string; operations: Operation[] } {
  const name = freshName("bodies", "bar");
  const way = [to.at[0] - from.at[0], to.at[1] - from.at[1]] as const;
  const body = {
    length: length ?? asLength(Math.hypot(...way)),
    at: [asPlace(from.at[0]), asPlace(from.at[1])],
    angle: asAngle(Math.atan2(way[1], way[0])),
  };
  const operations: Operation[] = [{ op: "set", path: ["bodies", name], value: body }];
  const used: string[] = [];
  for (const [spot, end] of [[from, "start"], [to, "end"]] as const) {
    if (!isOfBody(spot) && !isGround(spot)) continue;
    const joint = nextLetter(used);
    used.push(joint);
    operations.push({ op: "set", path: ["joints", joint], value: { type: "revolute", I: hold(spot), J: `${name}.${end}` } });
  }
  return { name, operations };
}

export function nextLetter(used: string[]): string {
  const taken = new Set([...used, ...["bodies", "joints", "forces", "couplers", "gauges"].flatMap((k) => Object.keys(members(k)))]);
  for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZ") if (!taken.has(letter)) return letter;
  for (let k = 1; ; k += 1) if (!taken.has(`J${k}`)) return `J${k}`;
}

export function pinOperations(spot: Spot): Operation[] {
  const [x, y] = spot.at;
  const at = [asPlace(x), asPlace(y)];
  return [{ op: "set", path: ["joints", nextLetter([])], value: { type: "revolute", I: { body: "ground", at }, J: hold(spot) } }];
}

export function hingeOperations(a: Spot, b: Spot): Operation[] {
  return [{ op: "set", path: ["joints", nextLetter([])], value: { type: "revolute", I: hold(a), J: hold(b) } }];
}

/** A block on a line of the ground, hinged to the point. `angle` (rad) is that of the line. */
export function sliderOperations(spot: Spot, angle: number): Operation[] {
  const block = freshName("bodies", "slider");
  const [x, y] = spot.at;
  const axis = [tidy(Math.cos(angle)), tidy(Math.sin(angle)), 0];
  const at = [asPlace(x), asPlace(y)];
  const guide = freshName("joints", "guide");
  return [
    { op: "set", path: ["bodies", block], value: { at } },
    { op: "set", path: ["joints", nextLetter([])], value: { type: "revolute", I: hold(spot), J: block } },
    { op: "set", path: ["joints", guide], value: { type: "prismatic", I: { body: "ground", at, axis }, J: { body: block, at: [0, 0], axis } } },
  ];
}

export function springOperations(a: Spot, b: Spot, stiffness: number | string): Operation[] {
  const free = asLength(Math.hypot(b.at[0] - a.at[0], b.at[1] - a.at[1], b.at[2] - a.at[2]));
  const value = { type: "line_spring", I: hold(a), J: hold(b), stiffness, damping: 0, free, preload: 0, acting: "both" };
  return [{ op: "set", path: ["forces", freshName("forces", "spring")], value }];
}

export function forceOperations(spot: Spot, pull: (number | string)[]): Operation[] {
  return [{ op: "set", path: ["forces", freshName("forces", "force")], value: { type: "weight", at: hold(spot), pull } }];
}

/** A mass at the middle of a body that has none yet: a slender bar where it is a bar. */
export function massOperations(body: string, mass: number | string): Operation[] {
  const record = members("bodies")[body] ?? {};
  const length = record["length"] ?? (record["points"] as Record<string, unknown[]> | undefined)?.["end"]?.[0];
  const solid = length === undefined
    ? { mass, centre: [0, 0, 0], tensor: [0, 0, 0] }
    : { solid: { type: "slender_bar", length }, mass };
  return [{ op: "set", path: ["bodies", body, "inertia"], value: solid }];
}

export function driveOperations(body: string, speed: string): Operation[] {
  const record = members("bodies")[body] ?? {};
  const start = typeof record["angle"] === "number" || typeof record["angle"] === "string" ? record["angle"] : 0;
  return [{ op: "set", path: ["drives", `${body}.angle`], value: { start, speed } }];
}
