// Where every body is at any moment: the samples of a scene, blended smoothly between them.
// A pose is {r: [x, y, z], R: nine numbers, row by row}, so that p_W = r + R p_B.

import type { SceneDocument } from "../viewer/scene";
import type { BodyPose, Place, Point } from "./types";

export const STILL: BodyPose = { r: [0, 0, 0], R: [1, 0, 0, 0, 1, 0, 0, 0, 1] };

/** World position of a point of a body. */
export function carry(pose: BodyPose, p: Point): number[] {
  const { r, R } = pose;
  return [
    r[0] + R[0] * p[0] + R[1] * p[1] + R[2] * p[2],
    r[1] + R[3] * p[0] + R[4] * p[1] + R[5] * p[2],
    r[2] + R[6] * p[0] + R[7] * p[1] + R[8] * p[2],
  ];
}

/** World direction of a direction of a body. */
export function turn(pose: BodyPose, d: Point): number[] {
  return carry({ r: STILL.r, R: pose.R }, d);
}

/** The rotation matrix of an angle about z. */
export function planarTurn(angle: number): number[] {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  return [c, -s, 0, s, c, 0, 0, 0, 1];
}

/** The rotation matrix of a quaternion (w, x, y, z) of any length but 0. */
export function spatialTurn(q: Point): number[] {
  const length = Math.hypot(...q) || 1;
  const [w, x, y, z] = q.map((part) => part / length);
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ];
}

export class Motion {
  readonly scene: SceneDocument;
  readonly times: number[];
  readonly start: number;
  readonly end: number;
  readonly duration: number;

  constructor(scene: SceneDocument) {
    this.scene = scene;
    this.times = scene.times;
    this.start = scene.times[0];
    this.end = scene.times[scene.times.length - 1];
    this.duration = this.end - this.start;
  }

  /** The sample at or before a time, and how far it is to the next one, 0 to 1. */
  place(time: number): Place {
    const t = this.times;
    let low = 0;
    let high = t.length - 1;
    if (high === 0 || time <= t[0]) return { index: 0, share: 0 };
    if (time >= t[high]) return { index: high, share: 0 };
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (t[middle] <= time) low = middle;
      else high = middle;
    }
    const step = t[high] - t[low];
    return { index: low, share: step > 0 ? (time - t[low]) / step : 0 };
  }

  /** The nearest sample to a time. */
  nearest(time: number): number {
    const { index, share } = this.place(time);
    return share > 0.5 ? index + 1 : index;
  }

  /** One of `width` interleaved quantities at a place: a cubic through the samples around it. */
  blended(values: readonly number[], width: number, offset: number, { index, share }: Place): number {
    const at = (k: number) => values[k * width + offset];
    if (share === 0) return at(index);
    const t = this.times;
    const last = t.length - 1;
    const slope = (k: number) => {
      const before = Math.max(0, k - 1);
      const after = Math.min(last, k + 1);
      return (at(after) - at(before)) / (t[after] - t[before] || 1);
    };
    const h = t[index + 1] - t[index];
    const u = share;
    const v = 1 - u;
    return (
      v * v * (1 + 2 * u) * at(index) + u * u * (1 + 2 * v) * at(index + 1) +
      u * v * h * (v * slope(index) - u * slope(index + 1))
    );
  }

  /** The pose of a body (null is the ground) at a place. */
  pose(body: number | null, place: Place): BodyPose {
    if (body === null) return STILL;
    const { position, rotation } = this.scene.bodies[body];
    if (this.scene.plane) {
      const r = [this.blended(position, 2, 0, place), this.blended(position, 2, 1, place), 0];
      return { r, R: planarTurn(this.blended(rotation, 1, 0, place)) };
    }
    const r = [0, 1, 2].map((k) => this.blended(position, 3, k, place));
    const u = place.share;
    const first = place.index * 4;
    const q = [0, 1, 2, 3].map((k) =>
      u === 0 ? rotation[first + k] : (1 - u) * rotation[first + k] + u * rotation[first + 4 + k]);
    return { r, R: spatialTurn(q) };
  }

  /** The poses of all bodies at a place. */
  poses(place: Place): BodyPose[] {
    return this.scene.bodies.map((_, k) => this.pose(k, place));
  }

  /** Whether the motion ends where it began, so that it can go round without a jump. */
  get closes(): boolean {
    const first = this.poses({ index: 0, share: 0 });
    const last = this.poses({ index: this.times.length - 1, share: 0 });
    const reach = Math.max(1e-12, ...this.scene.bodies.map((b) => Math.max(...b.position.map(Math.abs), 0)));
    return first.every((a, k) => {
      const b = last[k];
      const moved = Math.hypot(...a.r.map((x, i) => x - b.r[i])) / reach;
      const turned = Math.hypot(...a.R.map((x, i) => x - b.R[i]));
      return moved < 1e-3 && turned < 1e-3;
    });
  }
}
