// Pulling a point of the drawing about: bars that end there change, ground pins go along.

import type { Operation } from "../app/actions";
import { locks, members, points, scene } from "../app/state";
import type { NamedPoint } from "../messages";
import type { View } from "../viewer/view";
import { asAngle, asLength, asPlace, metres } from "./units";

type Place = readonly number[];

function near(a: Place, b: Place, reach: number): boolean {
  return Math.hypot((a[0] ?? 0) - (b[0] ?? 0), (a[1] ?? 0) - (b[1] ?? 0)) < reach;
}

export function bodyIndex(name: string): number | null {
  const index = scene.value?.bodies.findIndex((body) => body.name === name) ?? -1;
  return index < 0 ? null : index;
}

/** Where a named point is now. */
export function placeOf(view: View, point: NamedPoint): number[] {
  return view.place(point.body === "ground" ? null : bodyIndex(point.body), point.at);
}

/** Where everything was when a gesture began. */
export interface Grasp {
  point: NamedPoint;
  from: number[];
  bars: { name: string; start: number[]; end: number[]; moves: "start" | "end" }[];
  pins: { path: (string | number)[] }[];
  local: ((world: Place) => [number, number]) | null;
}

export function grasp(view: View, point: NamedPoint): Grasp {
  const from = placeOf(view, point);
  const reach = 1e-4 * Math.max(...(scene.value?.bodies ?? []).flatMap((b) => b.shapes.flatMap((s) => ("points" in s ? s.points.flat() : [])).map(Math.abs)), 1e-9);
  const bars: Grasp["bars"] = [];
  for (const name of Object.keys(members("bodies"))) {
    const [start, end] = ["start", "end"].map((p) => points.value.find((q) => q.name === `${name}.${p}`));
    if (!start || !end) continue;
    const ends = { start: placeOf(view, start), end: placeOf(view, end) };
    for (const moves of ["start", "end"] as const) {
      if (near(ends[moves], from, reach)) bars.push({ name, ...ends, moves });
    }
  }
  const pins = Object.entries(members("joints")).flatMap(([joint, record]) =>
    (["I", "J"] as const).flatMap((side) => {
      const place = record[side] as { body?: string; at?: unknown[] } | string | undefined;
      if (place === "ground") return near([0, 0], from, reach) ? [{ path: ["joints", joint, side] }] : [];
      if (typeof place !== "object" || place.body !== "ground" || !Array.isArray(place.at)) return [];
      const at = place.at.map(metres);
      if (at[0] === null || at[1] === null || at[0] === undefined || at[1] === undefined) return [];
      return near(at as number[], from, reach) ? [{ path: ["joints", joint, side] }] : [];
    }));
  return { point, from, bars, pins, local: localOf(view, point) };
}

/** From world to the frame of the point's body, for a point that is no end of a bar. */
function localOf(view: View, point: NamedPoint): Grasp["local"] {
  const body = bodyIndex(point.body);
  if (body === null) return null;
  const [o, x] = [view.place(body, [0, 0, 0]), view.place(body, [1, 0, 0])];
  const [c, s] = [(x[0] ?? 0) - (o[0] ?? 0), (x[1] ?? 0) - (o[1] ?? 0)];
  return (world) => {
    const [dx, dy] = [(world[0] ?? 0) - (o[0] ?? 0), (world[1] ?? 0) - (o[1] ?? 0)];
    return [c * dx + s * dy, -s * dx + c * dy];
  };
}

/** What the document says when the point is at `to`. */
export function reshaped(held: Grasp, to: Place): Operation[] {
  const operations: Operation[] = [];
  for (const bar of held.bars) operations.push(...barMoved(bar, to));
  for (const { path } of held.pins) {
    const side = members(String(path[0]))[String(path[1])]?.[String(path[2])];
    const at = [asPlace(to[0] ?? 0), asPlace(to[1] ?? 0)];
    const value = typeof side === "object" && side !== null ? { ...side, at } : { body: "ground", at };
    operations.push({ op: "set", path, value });
  }
  const [body, name] = [held.point.body, held.point.name.split(".").slice(1).join(".")];
  if (!held.bars.length && !held.pins.length && name && held.local) {
    const [x, y] = held.local(to);
    operations.push({ op: "set", path: ["bodies", body, "points", name], value: [asLength(x), asLength(y)] });
  }
  return operations;
}

function barMoved(bar: Grasp["bars"][number], to: Place): Operation[] {
  const record = members("bodies")[bar.name] ?? {};
  const ends = { start: bar.start, end: bar.end, [bar.moves]: to };
  const [a, b] = [ends.start, ends.end];
  const way = [(b[0] ?? 0) - (a[0] ?? 0), (b[1] ?? 0) - (a[1] ?? 0)] as const;
  const angle = asAngle(Math.atan2(way[1], way[0]));
  const operations: Operation[] = [
    { op: "set", path: ["bodies", bar.name, "at"], value: [asPlace(a[0] ?? 0), asPlace(a[1] ?? 0)] },
    { op: "set", path: ["bodies", bar.name, "angle"], value: angle },
  ];
  const length = asLength(Math.hypot(...way));
  if (!locks.value.has(bar.name)) {
    const end = (record["points"] as Record<string, unknown[]> | undefined)?.["end"];
    if (typeof record["length"] === "number") operations.push({ op: "set", path: ["bodies", bar.name, "length"], value: length });
    else if (record["length"] === undefined && typeof end?.[0] === "number") {
      operations.push({ op: "set", path: ["bodies", bar.name, "points", "end"], value: [length, 0] });
    }
  }
  const drive = members("drives")[`${bar.name}.angle`];
  if (drive && typeof drive === "object" && typeof drive["start"] === "number") {
    operations.push({ op: "set", path: ["drives", `${bar.name}.angle`, "start"], value: angle });
  }
  return operations;
}
