// How a scene is seen: an orthographic view, fitted to the whole motion. The twin of camera.py.

import type { DiscShape, SceneDocument, Shape } from "../viewer/scene";
import { loadTips } from "./loads";
import { carry, type Motion } from "./motion";
import { signOf, type Point, type View } from "./types";

export const FRONT_RIGHT = { azimuth: -58, elevation: 24 };
export const FACING = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

export function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Point, b: Point): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Unit vectors to the right, up and towards a reader at an azimuth and elevation in degrees. */
export function viewRows({ azimuth, elevation }: View): number[][] {
  const a = (azimuth * Math.PI) / 180;
  const e = (elevation * Math.PI) / 180;
  const near = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
  const right = [-Math.sin(a), Math.cos(a), 0];
  return [right, cross(near, right), near];
}

interface CameraFields {
  rows: number[][]; // right, up, near
  scale: number; // px a metre
  focus: number[];
  origin: number[];
  low: number[];
  high: number[];
  floor: number;
  size: number; // of symbols
}

export class Camera implements CameraFields {
  readonly rows: number[][];
  readonly scale: number;
  readonly focus: number[];
  readonly origin: number[];
  readonly low: number[];
  readonly high: number[];
  readonly floor: number;
  readonly size: number;

  constructor(fields: CameraFields) {
    this.rows = fields.rows;
    this.scale = fields.scale;
    this.focus = fields.focus;
    this.origin = fields.origin;
    this.low = fields.low;
    this.high = fields.high;
    this.floor = fields.floor;
    this.size = fields.size;
  }

  /** Screen x, y and nearness of a world point, in px. */
  project(p: Point): [number, number, number] {
    const d = [p[0] - this.focus[0], p[1] - this.focus[1], p[2] - this.focus[2]];
    return [
      this.origin[0] + this.scale * dot(this.rows[0], d),
      this.origin[1] - this.scale * dot(this.rows[1], d),
      this.scale * dot(this.rows[2], d),
    ];
  }

  /** A world direction as right, up, near. */
  seen(d: Point): number[] {
    return this.rows.map((row) => dot(row, d));
  }
}

const discCorners = new WeakMap<DiscShape, number[][]>();

/** Points of a body's outline that a picture must have room for. */
export function shapeCorners(shape: Shape): number[][] {
  if (shape.form !== "disc") return shape.points;
  let corners = discCorners.get(shape);
  if (!corners) {
    const axis = shape.axis;
    const y = cross(axis, Math.abs(axis[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1]);
    const length = Math.hypot(...y);
    const unit = y.map((part) => part / length);
    const x = cross(unit, axis);
    const outer = shape.outer;
    corners = Array.from({ length: 16 }, (_, k) => {
      const c = outer * Math.cos((k * Math.PI) / 8);
      const s = outer * Math.sin((k * Math.PI) / 8);
      return shape.centre.map((m, i) => m + c * x[i] + s * unit[i]);
    });
    discCorners.set(shape, corners);
  }
  return corners;
}

/** Points of the ground that stand on the floor of a spatial scene. */
export function anchors(scene: SceneDocument): number[][] {
  const held = scene.joints.filter((joint) => joint.i.body === null).map((joint) => joint.i.point);
  return [...held, ...scene.ground.pivots];
}

/** Points that together reach as far as anything does at any time. */
export function everything(motion: Motion): number[][] {
  const { scene } = motion;
  const n = scene.times.length;
  const stride = Math.max(1, Math.floor(n / scene.sizes.fitted_samples));
  const chosen: number[] = [];
  for (let k = 0; k < n; k += stride) chosen.push(k);
  if (chosen[chosen.length - 1] !== n - 1) chosen.push(n - 1);
  const points: number[][] = [...anchors(scene), ...scene.ground.lines.flat()];
  scene.bodies.forEach((body, b) => {
    const own = body.shapes.flatMap(shapeCorners);
    own.push(...body.points.map(([, point]) => point));
    own.push(...scene.traces.filter((trace) => trace.body === b).map((trace) => trace.point));
    for (const joint of scene.joints) {
      for (const frame of [joint.i, joint.j]) if (frame.body === b) own.push(frame.point);
    }
    for (const index of chosen) {
      const pose = motion.pose(b, { index, share: 0 });
      for (const point of own) points.push(carry(pose, point));
    }
  });
  for (const joint of scene.joints) {
    if (signOf(scene, joint).guide === "none") continue;
    const z = joint.i.axes.slice(6, 9);
    const ends = (joint.reach?.slice(0, 2) ?? joint.travel).map((way) => joint.i.point.map((x, k) => x + way * z[k]));
    for (const index of joint.i.body === null ? [0] : chosen) {
      const pose = motion.pose(joint.i.body, { index, share: 0 });
      for (const end of ends) points.push(carry(pose, end));
    }
  }
  for (const index of chosen) points.push(...loadTips(scene, index));
  return points.length ? points : [[0, 0, 0]];
}

/** The factor on all symbols, so that neither short links nor small pictures clot. */
export function symbolSize(scene: SceneDocument, scale: number, side: number): number {
  const sizes = scene.sizes;
  let factor = side / sizes.normal_side;
  for (const shape of scene.bodies.flatMap((body) => body.shapes)) {
    if (shape.form !== "bar" && !(shape.form === "plate" && shape.rim)) continue;
    shape.points.forEach((p, k) => {
      const q = shape.points[(k + 1) % shape.points.length];
      const length = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
      if (length > 0) factor = Math.min(factor, (scale * length) / sizes.normal_link);
    });
  }
  return Math.min(Math.max(factor, sizes.smallest), sizes.largest);
}

/** Least and greatest of each coordinate. */
export function bounds(points: readonly Point[]): { low: number[]; high: number[] } {
  const low = [...points[0]];
  const high = [...points[0]];
  for (const p of points) {
    p.forEach((x, k) => {
      if (x < low[k]) low[k] = x;
      if (x > high[k]) high[k] = x;
    });
  }
  return { low, high };
}

/** The camera that shows the whole motion, everything at the same scale, at most `most` px per m. */
export function fittedCamera(scene: SceneDocument, reach: readonly Point[], width: number, height: number, view: View, most = Infinity): Camera {
  const { low, high } = bounds(reach);
  const rows = scene.plane ? FACING : viewRows(view);
  const floor = low[2] - scene.sizes.floor * Math.hypot(...high.map((x, k) => x - low[k]));
  const feet = scene.plane ? [] : anchors(scene).map((p) => [p[0], p[1], floor]);
  const seen = bounds([...reach, ...feet].map((p) => [dot(rows[0], p), dot(rows[1], p)]));
  const share = Math.min(1, Math.min(width, height) / scene.sizes.margin_side);
  const [left, top, right, bottom] = (scene.sizes.margins as unknown as number[]).map((margin) => share * margin);
  const room = [Math.max(20, width - left - right), Math.max(20, height - top - bottom)];
  const spread = [seen.high[0] - seen.low[0], seen.high[1] - seen.low[1]];
  let scale = Math.min(...room.map((space, k) => space / (spread[k] > 0 ? spread[k] : 1e-30)));
  if (!spread[0] && !spread[1]) scale = Math.min(...room);
  scale = Math.min(scale, most);
  const focus = low.map((x, k) => (x + high[k]) / 2);
  const middle = [0, 1].map((k) => (seen.low[k] + seen.high[k]) / 2 - dot(rows[k], focus));
  const origin = [left + room[0] / 2 - scale * middle[0], top + room[1] / 2 + scale * middle[1]];
  const size = symbolSize(scene, scale, Math.min(width, height));
  return new Camera({ rows, scale, focus, origin, low, high, floor, size });
}
