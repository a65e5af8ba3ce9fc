// What is on a picture of one moment, as flat paths from back to front. The twin of picture.py.
// An item is {layer, kind, d, width, near, part}: part is the name that hovering shows.

import type { Body, DiscShape, SceneDocument } from "../viewer/scene";
import { shapeCorners, type Camera } from "./camera";
import { carry, turn } from "./motion";
import { capsule, circle, polyline, ring } from "./pen";
import { shadowOf, sharpLines, solidItems } from "./solids";
import type { BodyPose, Item, Layer, Point } from "./types";

export const LAYERS: Layer[] = ["grid", "floor", "faint", "ghosts", "under", "bodies", "traces", "top"];
export const SORTED_IN_SPACE: Layer[] = ["under", "bodies", "top"];
export const EDGE_LAP = 0.4;
export const FACE_LAP = 1.4;
export const DEPTH_STEPS = 10; // a px: what differs by less counts as equally near
export const TONES = 8;
export const SUN_X = 0.4; // from the light, right and down
export const SUN_Y = 0.62;

export function tone(colour: number | null): string {
  return colour === null ? "cn" : `c${colour % TONES}`;
}

export function mean(points: readonly Point[], k: number): number {
  return points.reduce((sum, p) => sum + p[k], 0) / points.length;
}

/** Bars and rimmed plates of one body, drawn as one outline by three strokes of a brush. */
export function linkItems(scene: SceneDocument, camera: Camera, d: string, colour: string, near: number, wide = scene.sizes.link): Item[] {
  const { halo, edge } = scene.sizes;
  const width = wide * camera.size;
  return [
    { layer: "bodies", kind: "halo", d, width: width + 2 * halo, near },
    { layer: "bodies", kind: `edge ${colour}`, d, width, near },
    { layer: "bodies", kind: `face ${colour}`, d, width: width - 2 * edge, near },
  ];
}

/** The direction across a bar on the screen towards the light: up, or left if upright. */
export function litSide(p: Point, q: Point): number[] {
  const d = [q[0] - p[0], q[1] - p[1]];
  const length = Math.max(Math.hypot(d[0], d[1]), 1e-9);
  const across = [d[1] / length, -d[0] / length];
  return -SUN_X * across[0] - SUN_Y * across[1] >= 0 ? across : across.map((x) => -x);
}

/** A round bar in space, cut into pieces that are sorted by depth one by one, and lit. */
export function rodItems(scene: SceneDocument, camera: Camera, seen: Point[], colour: string, wide = scene.sizes.link): Item[] {
  const { halo, edge, segment, shine, shine_off: off } = scene.sizes;
  const radius = 0.5 * wide * camera.size;
  const lit = litSide(seen[0], seen[1]).map((x) => x * radius * off);
  const [p, q] = seen;
  const d = q.map((x, k) => x - p[k]);
  const length = Math.hypot(d[0], d[1]);
  const count = Math.max(1, Math.ceil(Math.hypot(length, d[2]) / segment));
  const unit = d.map((x) => x / Math.max(length, 1));
  const brushes: [string, number, number][] = [
    ["halo-fill", radius + halo, 0],
    [`edge-fill ${colour}`, radius, EDGE_LAP],
    [`face-fill ${colour}`, radius - edge, FACE_LAP],
  ];
  const items: Item[] = [];
  for (let k = 0; k < count; k += 1) {
    const a = p.map((x, i) => x + (d[i] * k) / count);
    const b = p.map((x, i) => x + (d[i] * (k + 1)) / count);
    const first = k === 0;
    const last = k === count - 1;
    for (const [kind, r, lap] of brushes) {
      const start = a.map((x, i) => x - (first ? 0 : lap) * unit[i]);
      const end = b.map((x, i) => x + (last ? 0 : lap) * unit[i]);
      const near = (a[2] + b[2]) / 2;
      items.push({ layer: "bodies", kind, d: capsule(start, end, r, first, last), near });
    }
    const laps = [first ? 0 : -FACE_LAP, last ? 0 : FACE_LAP];
    const [from, to] = [a, b].map((x, n) => [0, 1].map((i) => x[i] + lit[i] + laps[n] * unit[i]));
    const light = capsule(from, to, shine * radius, first, last);
    items.push({ layer: "bodies", kind: `lit ${colour}`, d: light, near: (a[2] + b[2]) / 2 });
  }
  return items;
}

/** A wheel or a gear, with a mark on its radius so that its turning is seen. */
export function discItems(camera: Camera, shape: DiscShape, pose: BodyPose, colour: string, near: number): Item[] {
  const centre = camera.project(carry(pose, shape.centre));
  const edge = camera.project(carry(pose, shape.mark));
  const rim = shape.points.length
    ? polyline(shape.points.map((p) => camera.project(carry(pose, p))), true)
    : ring(centre, camera.seen(turn(pose, shape.axis)), shape.radius * camera.scale);
  return [
    { layer: "bodies", kind: `rim ${colour}`, d: rim, near },
    { layer: "bodies", kind: `mark ${colour}`, d: polyline([centre, edge]), near },
  ];
}

/** The links, plates, discs and lines of one body. */
export function bodyItems(scene: SceneDocument, camera: Camera, body: Body, pose: BodyPose): Item[] {
  const colour = tone(body.colour);
  const items: Item[] = [];
  let rims = "";
  for (const shape of body.shapes) {
    const seen = shapeCorners(shape).map((p) => camera.project(carry(pose, p)));
    const near = mean(seen, 2);
    if (shape.form === "solid") {
      items.push(...solidItems(camera, shape, pose, colour));
    } else if (shape.form === "disc") {
      items.push(...discItems(camera, shape, pose, colour, near));
    } else if (shape.form === "line") {
      const own = shape.colour === undefined ? colour : tone(shape.colour);
      items.push({ layer: "bodies", kind: `line ${own}`, d: polyline(seen, shape.closed), near });
    } else if (shape.form === "plate" && !shape.rim) {
      const holes = (shape.holes || []).map((ring) => polyline(ring.map((p) => camera.project(carry(pose, p))), true));
      items.push({ layer: "bodies", kind: `rim ${colour}`, d: polyline(seen, true) + holes.join(""), near });
    } else if (shape.form === "bar" && !scene.plane) {
      items.push(...rodItems(scene, camera, seen, colour));
    } else if (scene.plane) {
      rims += polyline(seen, shape.form === "plate");
    } else {
      items.push(...linkItems(scene, camera, polyline(seen, true), colour, near));
    }
  }
  if (rims) items.push(...linkItems(scene, camera, rims, colour, 0));
  return items.map((item) => ({ ...item, part: body.name }));
}

/** A body's faint copy at another moment. */
export function ghostItems(scene: SceneDocument, camera: Camera, body: Body, pose: BodyPose): Item[] {
  const kind = `ghost ${tone(body.colour)}`;
  let strokes = "";
  let rings = "";
  for (const shape of body.shapes) {
    if (shape.form === "solid") {
      rings += sharpLines(camera, shape, pose);
    } else if (shape.form === "disc") {
      const axis = camera.seen(turn(pose, shape.axis));
      rings += ring(camera.project(carry(pose, shape.centre)), axis, shape.radius * camera.scale);
    } else {
      const closed = shape.form === "plate" || (shape.form === "line" && shape.closed);
      strokes += polyline(shape.points.map((p) => camera.project(carry(pose, p))), closed);
    }
  }
  const items: Item[] = [];
  const width = scene.sizes.ghost * camera.size;
  if (strokes) items.push({ layer: "ghosts", kind, d: strokes, width, near: 0 });
  if (rings) items.push({ layer: "ghosts", kind, d: rings, width: 1.5, near: 0 });
  return items;
}

/** Dots at a body's points of interest. */
export function pointItems(scene: SceneDocument, camera: Camera, body: Body, pose: BodyPose): Item[] {
  return body.points.map(([name, point]) => {
    const [x, y, near] = camera.project(carry(pose, point));
    const d = circle(x, y, scene.sizes.dot * camera.size);
    const part = `${body.name}.${name}`;
    const kind = `dot ${tone(body.colour)}`;
    return { layer: "top", kind, d, near: near + scene.sizes.lift * camera.size, part, point: carry(pose, point) };
  });
}

/** The shadow of every link on the floor of a spatial scene; thin coloured lines cast none. */
export function shadowItems(scene: SceneDocument, camera: Camera, poses: BodyPose[]): Item[] {
  let d = "";
  let solids = "";
  scene.bodies.forEach((body, b) => {
    for (const shape of body.shapes) {
      if (shape.form === "line" && shape.colour !== undefined) continue;
      if (shape.form === "solid") {
        solids += shadowOf(camera, shape, poses[b]);
        continue;
      }
      const flat = shapeCorners(shape).map((p) => {
        const [x, y] = carry(poses[b], p);
        return camera.project([x, y, camera.floor]);
      });
      d += polyline(flat, shape.form === "plate" || shape.form === "disc");
    }
  });
  const width = 0.8 * scene.sizes.link * camera.size;
  const items: Item[] = [{ layer: "floor", kind: "shadow", d, width, near: 0 }];
  if (solids) items.push({ layer: "floor", kind: "shadow-fill", d: solids, near: 0 });
  return items;
}

/** Layer by layer; in space what is solid goes from far to near. Equals keep their order. */
export function backToFront(items: Item[], inSpace: boolean): Item[] {
  const rank = (item: Item) =>
    LAYERS.indexOf(inSpace && SORTED_IN_SPACE.includes(item.layer) ? "bodies" : item.layer);
  const near = (item: Item) => (inSpace && SORTED_IN_SPACE.includes(item.layer) ? Math.round((item.near ?? 0) * DEPTH_STEPS) : 0);
  return [...items].sort((a, b) => rank(a) - rank(b) || near(a) - near(b));
}
