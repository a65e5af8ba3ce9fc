// How joints and the ground appear on a picture: the symbols' data, projected. The twin of picture.py.

import type { Joint, JointFrame, SceneDocument, Shape, SymbolPart, Triple } from "../viewer/scene";
import { cross, dot, type Camera } from "./camera";
import { carry, STILL, turn } from "./motion";
import { ALONG_SIGHT, capsule, circle, drum, hatching, polyline, ring } from "./pen";
import { linkItems, mean, rodItems, tone } from "./picture";
import { signOf, type BodyPose, type FramePlace, type Item, type Point, type Sign } from "./types";

export const LEVEL = 1e-3;
export const ARC_CORNERS = 25;

/** Where a joint's frame is: its point in the world, its axes, and its middle on the screen. */
export function framePose(camera: Camera, frame: JointFrame, poses: BodyPose[]): FramePlace {
  const pose = frame.body === null ? STILL : poses[frame.body];
  const point = carry(pose, frame.point);
  const axes = [0, 3, 6].map((k) => turn(pose, frame.axes.slice(k, k + 3)));
  return { point, axes, centre: camera.project(point), seen: axes.map((axis) => camera.seen(axis)) };
}

/** A point on the screen at an offset given in px along a frame's axes. */
export function offset(centre: Point, seen: number[][], [x, y, z]: Point): number[] {
  return [
    centre[0] + x * seen[0][0] + y * seen[1][0] + z * seen[2][0],
    centre[1] - x * seen[0][1] - y * seen[1][1] - z * seen[2][1],
  ];
}

/** The faces of a box that look at the reader. */
export function blockFaces(half: Triple, centre: Point, seen: number[][], size: number): string[] {
  const faces: string[] = [];
  for (let k = 0; k < 3; k += 1) {
    const towards = seen[k][2];
    if (Math.abs(towards) < ALONG_SIGHT) continue;
    const corners = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([s, t]) => {
      const p = [0, 0, 0];
      p[k] = (towards >= 0 ? 1 : -1) * half[k] * size;
      p[(k + 1) % 3] = s * half[(k + 1) % 3] * size;
      p[(k + 2) % 3] = t * half[(k + 2) % 3] * size;
      return offset(centre, seen, p);
    });
    faces.push(polyline(corners, true));
  }
  return faces;
}

/** The paths of one solid of a symbol. */
export function solidPaths(solid: SymbolPart, { centre, seen }: FramePlace, size: number): string[] {
  if (solid.form === "ball") return [circle(centre[0], centre[1], solid.radius * size)];
  if (solid.form === "block") return blockFaces(solid.half, centre, seen, size);
  const middle = offset(centre, seen, [0, 0, solid.at * size]);
  return drum(middle, seen[2], solid.radius * size, solid.half_length * size);
}

/** Points (u, v) of a span on the screen, v across the line from one end to the other. */
export function across(a: Point, b: Point, path: readonly Point[], size: number): number[][] {
  const d = [b[0] - a[0], b[1] - a[1]];
  const length = Math.max(Math.hypot(d[0], d[1]), 1e-9);
  const n = [(d[1] / length) * size, (-d[0] / length) * size];
  return path.map(([u, v]) => [a[0] + u * d[0] + v * n[0], a[1] + u * d[1] + v * n[1]]);
}

/** The side of a guide that is hatched: below it, or right of it where it is vertical. */
export function below(along: Point): number[] {
  const n = [-along[1], along[0]];
  const positive = Math.abs(n[1]) < LEVEL ? n[0] > 0 : n[1] > 0;
  return positive ? n : [-n[0], -n[1]];
}

/** The rail or slot along a joint's axis, as long as its travel. */
export function guideItems(scene: SceneDocument, camera: Camera, joint: Joint, symbol: Sign, frame: FramePlace): Item[] {
  if (symbol.guide === "none") return [];
  const { sizes } = scene;
  if (symbol.guide === "barrel") return barrelItems(scene, camera, joint, frame);
  if (symbol.guide === "bore") return (scene.plane ? wallItems : tubeItems)(scene, camera, joint, frame);
  const z = frame.axes[2];
  const ends = joint.travel.map((way) => camera.project(frame.point.map((x, k) => x + way * z[k])));
  const near = mean(ends, 2);
  const colour = tone(joint.i.body === null ? null : scene.bodies[joint.i.body].colour);
  if (symbol.guide === "slot") {
    const d = capsule(ends[0], ends[1], 0.5 * sizes.slot * camera.size, true, true);
    return [{ layer: "top", kind: `slot ${colour}`, d, width: 1.6, near }];
  }
  const along = [frame.seen[2][0], -frame.seen[2][1]];
  const moved = (way: Point, reach: number) => ends.map((p, k) =>
    [0, 1].map((i) => p[i] + (k ? 1 : -1) * reach * along[i] + way[i]));
  const overhang = sizes.overhang * camera.size;
  if (joint.i.body !== null || !scene.plane) {
    const d = polyline(moved([0, 0], overhang));
    return [{ layer: "under", kind: `rail ${colour}`, d, width: sizes.rod * camera.size, near }];
  }
  const side = below(along);
  const [a, b] = moved(side.map((x) => x * sizes.rail * camera.size), overhang);
  return [
    { layer: "under", kind: "floor", d: polyline([a, b]), near: 0 },
    { layer: "under", kind: "hatch", d: hatching(a, b, side, sizes, camera.size), near: 0 },
  ];
}

/** A point of a frame: so far along its axis, and so far along another direction (m). */
export function placed(frame: FramePlace, along: number, other: Point = [0, 0, 0], across = 0): number[] {
  return frame.point.map((x, k) => x + along * frame.axes[2][k] + across * other[k]);
}

/** The barrel of a rod, and the collar at the mouth that the rod comes out of. */
export function barrelItems(scene: SceneDocument, camera: Camera, joint: Joint, frame: FramePlace): Item[] {
  const { sizes } = scene;
  const [back, mouth] = (joint.reach ?? [0, 0, 0, 0]).slice(0, 2).map((way) => camera.project(placed(frame, way)));
  const colour = tone(joint.i.body === null ? null : scene.bodies[joint.i.body].colour);
  if (!scene.plane) {
    const made = rodItems(scene, camera, [back, mouth], colour, sizes.barrel);
    return made.map((item) => ({ ...item, near: (item.near ?? 0) + sizes.barrel * camera.size }));
  }
  const way = [mouth[0] - back[0], mouth[1] - back[1]];
  const share = (sizes.gland * camera.size) / Math.max(Math.hypot(...way), 1e-9);
  const inner = [mouth[0] - share * way[0], mouth[1] - share * way[1]];
  const radius = 0.5 * sizes.barrel * camera.size;
  const made: [string, number[], number][] = [["halo-fill", back, radius + sizes.halo], [`rim ${colour}`, back, radius], [`rim ${colour}`, inner, radius]];
  return made.map(([kind, a, r]) => ({ layer: "bodies", kind, d: capsule(a, mouth, r, false, false), near: 0 }));
}

/** The walls of a cylinder on both sides of its piston, in the plane. */
export function wallItems(scene: SceneDocument, camera: Camera, joint: Joint, frame: FramePlace): Item[] {
  const { sizes } = scene;
  const z = frame.axes[2];
  const beside = [-z[1], z[0], 0];
  const seen = camera.seen(beside);
  const colour = tone(joint.i.body === null ? null : scene.bodies[joint.i.body].colour);
  return [-1, 1].flatMap((sign, n) => {
    const out = [sign * seen[0], -sign * seen[1]];
    const [a, b] = (joint.reach ?? [0, 0, 0, 0]).slice(0, 2).map((way) => {
      const p = camera.project(placed(frame, way, beside, (joint.reach?.[2 + n] ?? 0)));
      return [p[0] + sizes.wall * camera.size * out[0], p[1] + sizes.wall * camera.size * out[1]];
    });
    if (joint.i.body !== null) {
      return [{ layer: "under", kind: `rail ${colour}`, d: polyline([a, b]), width: sizes.rod * camera.size, near: 0 }];
    }
    return [
      { layer: "under", kind: "floor", d: polyline([a, b]), near: 0 },
      { layer: "under", kind: "hatch", d: hatching(a, b, out, sizes, camera.size), near: 0 },
    ];
  });
}

/** A cylinder about its piston in space: its outline alone, so that the piston is seen. */
export function tubeItems(scene: SceneDocument, camera: Camera, joint: Joint, frame: FramePlace): Item[] {
  const [from, to, , radius] = joint.reach ?? [0, 0, 0, 0];
  const [a, b] = [from, to].map((way) => camera.project(placed(frame, way)));
  const middle = a.map((x, k) => 0.5 * (x + b[k]));
  const wide = radius * camera.scale + scene.sizes.wall * camera.size;
  const half = 0.5 * Math.abs(to - from) * camera.scale;
  const colour = tone(joint.i.body === null ? null : scene.bodies[joint.i.body].colour);
  return drum(middle, frame.seen[2], wide, half).map((d) => ({ layer: "bodies", kind: `tube ${colour}`, d, near: middle[2] + wide }));
}

/** The closed line of a belt round two wheels, in the world. */
export function beltLine(a: Point, b: Point, axis: Point, [ri, rj]: [number, number], crossed: boolean): Point[] {
  const way = b.map((x, k) => x - a[k]);
  const off = dot(axis, way);
  const flat = way.map((x, k) => x - off * axis[k]);
  const distance = Math.hypot(...flat);
  const reach = crossed ? ri + rj : ri - rj;
  if (!(distance > Math.abs(reach)) || Math.min(ri, rj) <= 0) return [a, b];
  const u = flat.map((x) => x / distance);
  const v = cross(axis, u);
  const phi = Math.acos(reach / distance);
  const arc = (centre: Point, r: number, from: number, to: number) => Array.from({ length: ARC_CORNERS }, (_, n) => {
    const angle = from + ((to - from) * n) / (ARC_CORNERS - 1);
    return centre.map((x, k) => x + r * (Math.cos(angle) * u[k] + Math.sin(angle) * v[k]));
  });
  const [from, to] = crossed ? [Math.PI - phi, phi - Math.PI] : [-phi, phi];
  return [...arc(a, ri, phi, 2 * Math.PI - phi), ...arc(b, rj, from, to)];
}

/** A joint's guide, then its solids and strokes, then what spans its two frames. */
export function jointItems(scene: SceneDocument, camera: Camera, joint: Joint, poses: BodyPose[]): Item[] {
  const symbol = signOf(scene, joint);
  const frames = { i: framePose(camera, joint.i, poses), j: framePose(camera, joint.j, poses) };
  const items = guideItems(scene, camera, joint, symbol, frames.i);
  for (const solid of symbol.solids) {
    const frame = frames[solid.side];
    const lift = symbol.under ? scene.sizes.under_lift : scene.sizes.lift;
    const near = frame.centre[2] + lift * camera.size;
    if (solid.form === "stroke") {
      const points = solid.points.map((p) => offset(frame.centre, frame.seen, p.map((x) => x * camera.size)));
      items.push({ layer: "top", kind: "stroke", d: polyline(points), near });
      continue;
    }
    const body = joint[solid.side].body;
    const fill = solid.fill === "body" ? tone(body === null ? null : scene.bodies[body].colour) : solid.fill;
    const layer = symbol.under ? "under" : "top";
    for (const d of solidPaths(solid, frame, camera.size)) items.push({ layer, kind: `solid ${fill}`, d, near });
  }
  if (symbol.bar) {
    const ends = [frames.i.centre, frames.j.centre];
    const { stick } = scene.sizes;
    items.push(...(scene.plane
      ? linkItems(scene, camera, polyline(ends), tone(null), 0, stick)
      : rodItems(scene, camera, ends, tone(null), stick)));
  } else if (symbol.span.length) {
    const [a, b] = [frames.i.centre, frames.j.centre];
    const d = symbol.span.map((path) => polyline(across(a, b, path, camera.size))).join("");
    const kind = symbol.dashed ? "span dashed" : "span";
    items.push({ layer: "bodies", kind, d, near: (a[2] + b[2]) / 2 });
  }
  if (symbol.wrap !== "none") {
    const { i, j } = frames;
    const line = beltLine(i.point, j.point, i.axes[2], joint.radii, symbol.wrap === "crossed");
    const seen = line.map((p) => camera.project(p));
    const width = scene.sizes.belt * camera.size;
    items.push({ layer: "bodies", kind: "span", d: polyline(seen, true), width, near: mean(seen, 2) });
  }
  return items.map((item) => ({ ...item, part: `${joint.name}: ${symbol.says}` }));
}

/** Points of the ground that carry something, each once. */
export function stands(scene: SceneDocument): Triple[] {
  const points = [...scene.ground.pivots];
  for (const joint of scene.joints) {
    if (signOf(scene, joint).stand && joint.i.body === null) points.push(joint.i.point);
  }
  return [...new Map(points.map((point) => [point.join(), point])).values()];
}

/** Points of the ground in the plane whose stand a wheel or a plate would hide. */
export function coveredStands(scene: SceneDocument): Set<string> {
  const isWide = (shape: Shape) => shape.form === "disc" || (shape.form === "plate" && !shape.rim);
  const hidden = scene.joints.filter((joint) => scene.plane && joint.i.body === null && joint.j.body !== null)
    .filter((joint) => scene.bodies[joint.j.body ?? 0].shapes.some(isWide));
  return new Set(hidden.map((joint) => joint.i.point.join()));
}

/** The textbook's ground pivot: a bracket on a hatched foot. */
export function bracketItems(scene: SceneDocument, camera: Camera, point: Point): Item[] {
  const [stand, floor, hatch] = bracketLines(scene, camera, point);
  return [
    { layer: "under", kind: "stand", d: stand, near: 0 },
    { layer: "under", kind: "floor", d: floor, near: 0 },
    { layer: "under", kind: "hatch", d: hatch, near: 0 },
  ];
}

/** A ground pivot's bracket as faint lines upon what hides it. */
export function bracketSeenThrough(scene: SceneDocument, camera: Camera, point: Point): Item[] {
  return bracketLines(scene, camera, point).map((d) => ({ layer: "top", kind: "behind", d, near: 0 }));
}

export function bracketLines(scene: SceneDocument, camera: Camera, point: Point): [string, string, string] {
  const [x, y] = camera.project(point);
  const place = (path: readonly Point[]) => path.map((p) => [x + camera.size * p[0], y - camera.size * p[1]]);
  const foot = place(scene.stand.foot);
  return [polyline(place(scene.stand.outline), true), polyline(foot), hatching(foot[0], foot[1], [0, 1], scene.sizes, camera.size)];
}

/** In space: a post down to a round foot on the floor. */
export function postItems(scene: SceneDocument, camera: Camera, point: Point): Item[] {
  const top = camera.project(point);
  const foot = camera.project([point[0], point[1], camera.floor]);
  const up = camera.rows.map((row) => row[2]);
  const post = capsule(foot, top, scene.sizes.post * camera.size, true, true);
  return [
    { layer: "floor", kind: "foot", d: ring(foot, up, scene.sizes.foot * camera.size), near: 0 },
    { layer: "under", kind: "post", d: post, near: (top[2] + foot[2]) / 2 },
  ];
}

/** Hatched lines, and a stand for every pivot and for every joint that asks for one. */
export function groundItems(scene: SceneDocument, camera: Camera): Item[] {
  const items: Item[] = [];
  for (const line of scene.ground.lines) {
    const seen = line.map((p) => camera.project(p));
    items.push({ layer: "under", kind: "floor", d: polyline(seen), near: mean(seen, 2) });
    for (let k = 1; scene.plane && k < seen.length; k += 1) {
      const [a, b] = [seen[k - 1], seen[k]];
      const length = Math.max(Math.hypot(b[0] - a[0], b[1] - a[1]), 1e-9);
      const side = below([(b[0] - a[0]) / length, (b[1] - a[1]) / length]);
      items.push({ layer: "under", kind: "hatch", d: hatching(a, b, side, scene.sizes, camera.size), near: 0 });
    }
  }
  const covered = coveredStands(scene);
  for (const point of stands(scene)) {
    items.push(...(scene.plane ? bracketItems : postItems)(scene, camera, point));
    if (covered.has(point.join())) items.push(...bracketSeenThrough(scene, camera, point));
  }
  for (const pivot of scene.ground.pivots) {
    const [x, y, near] = camera.project(pivot);
    const d = circle(x, y, scene.sizes.pin * camera.size);
    items.push({ layer: "top", kind: "solid paper", d, near: near + scene.sizes.lift * camera.size });
  }
  return items.map((item) => ({ ...item, part: "ground" }));
}
