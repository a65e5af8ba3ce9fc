// Solids: the faces that look at the reader, shaded, and the edges that show. The twin of facets.py.

import type { SolidShape } from "../viewer/scene";
import { dot, type Camera } from "./camera";
import { carry, turn } from "./motion";
import { polyline } from "./pen";
import { mean } from "./picture";
import type { BodyPose, Item, Point } from "./types";

export const SUN = [-0.4, 0.62, 0.675]; // towards the light, as right, up, near
export const DIM = 0.1;
export const SIDEWAYS = 1e-6;
export const SHADES = 8;

/** How bright a face is that looks out (right, up, near): 0 to SHADES - 1. */
export function shade(out: Point): number {
  const light = DIM + (1 - DIM) * Math.max(0, dot(out, SUN));
  return Math.min(SHADES - 1, Math.floor(light * SHADES));
}

/** The edges to draw, by each of their faces that is seen: sharp ones, and the silhouette. */
export function drawnEdges(shape: SolidShape, isFront: boolean[]): Map<number, [number, number][]> {
  const drawn = new Map<number, [number, number][]>();
  for (const [a, b, f, g, sharp] of shape.edges) {
    const front = [f, g].filter((k) => k >= 0 && isFront[k]);
    if (!front.length || !(sharp || front.length === 1)) continue;
    for (const k of front) drawn.set(k, [...(drawn.get(k) || []), [a, b]]);
  }
  return drawn;
}

/** The paths of one solid: each face with its own nearness, and its edges upon it. */
export function solidItems(camera: Camera, shape: SolidShape, pose: BodyPose, colour: string): Item[] {
  const seen = shape.points.map((p) => camera.project(carry(pose, p)));
  const out = shape.normals.map((n) => camera.seen(turn(pose, n)));
  const isFront = out.map((n) => n[2] > SIDEWAYS);
  const drawn = drawnEdges(shape, isFront);
  const items: Item[] = [];
  shape.faces.forEach((face, f) => {
    if (!isFront[f]) return;
    const corners = face.map((k) => seen[k]);
    const near = mean(corners, 2);
    items.push({ layer: "bodies", kind: `facet ${colour} s${shade(out[f])}`, d: polyline(corners, true), near });
    if (!drawn.has(f)) return;
    const d = (drawn.get(f) ?? []).map(([a, b]) => polyline([seen[a], seen[b]])).join("");
    items.push({ layer: "bodies", kind: `crease ${colour}`, d, near });
  });
  return items;
}

/** The sharp edges of a solid as path data: enough for a faint copy. */
export function sharpLines(camera: Camera, shape: SolidShape, pose: BodyPose): string {
  const place = (k: number) => camera.project(carry(pose, shape.points[k]));
  return shape.edges.filter((edge) => edge[4]).map(([a, b]) => polyline([place(a), place(b)])).join("");
}

/** The corners of the convex hull of points on the screen: the monotone chain. */
export function hullOf(points: readonly number[][]): number[][] {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const side = (a: Point, b: Point, c: Point) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const chain = (way: readonly number[][]) => {
    const kept: number[][] = [];
    for (const p of way) {
      while (kept.length > 1 && side(kept[kept.length - 2], kept[kept.length - 1], p) <= 1e-9) kept.pop();
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...chain(sorted), ...chain([...sorted].reverse())];
}

/** The outline of a solid's shadow on the floor. */
export function shadowOf(camera: Camera, shape: SolidShape, pose: BodyPose): string {
  const flat = shape.points.map((p) => {
    const [x, y] = carry(pose, p);
    return camera.project([x, y, camera.floor]);
  });
  return polyline(hullOf(flat), true);
}
