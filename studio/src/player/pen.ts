// Path data for SVG: what a pen does on the screen, x right, y down, px. The twin of pen.py.

import type { Point } from "./types";

export const ALONG_SIGHT = 0.02;

/** A coordinate to a hundredth of a px. */
export function num(value: number): string {
  const short = Math.round(value * 100) / 100;
  return Object.is(short, -0) ? "0" : String(short);
}

export function at(p: Point): string {
  return `${num(p[0])} ${num(p[1])}`;
}

/** A line through points, of which x and y count. */
export function polyline(points: readonly Point[], closed = false): string {
  return points.length ? "M" + points.map(at).join("L") + (closed ? "Z" : "") : "";
}

/** A full ellipse whose major axis is turned by an angle (rad) on the screen. */
export function ellipse(x: number, y: number, major: number, minor: number, angle: number): string {
  const dx = major * Math.cos(angle);
  const dy = major * Math.sin(angle);
  const arc = `A${num(major)} ${num(minor)} ${num((angle * 180) / Math.PI)} 1 1 `;
  const start = at([x + dx, y + dy]);
  return `M${start}${arc}${at([x - dx, y - dy])}${arc}${start}Z`;
}

export function circle(x: number, y: number, radius: number): string {
  return ellipse(x, y, radius, radius, 0);
}

/** A circle in space about an axis (right, up, near), seen as an ellipse. */
export function ring(centre: Point, axis: Point, radius: number): string {
  const angle = Math.atan2(-axis[1], axis[0]) + Math.PI / 2;
  return ellipse(centre[0], centre[1], radius, radius * Math.abs(axis[2]), angle);
}

/** A cylinder: its silhouette, and the end that faces the reader where it is seen aslant. */
export function drum(centre: Point, axis: Point, radius: number, half: number): string[] {
  const flat = Math.hypot(axis[0], axis[1]);
  if (flat < ALONG_SIGHT) return [circle(centre[0], centre[1], radius)];
  const d = [axis[0] / flat, -axis[1] / flat];
  const n = [-d[1] * radius, d[0] * radius];
  const end = (sign: number) => [centre[0] + sign * half * flat * d[0], centre[1] + sign * half * flat * d[1]];
  const back = end(-1);
  const front = end(1);
  const off = (p: Point, sign: number) => at([p[0] + sign * n[0], p[1] + sign * n[1]]);
  const turned = num((Math.atan2(n[1], n[0]) * 180) / Math.PI);
  const arc = `A${num(radius)} ${num(radius * Math.abs(axis[2]))} ${turned} 0 1 `;
  const silhouette = `M${off(back, 1)}${arc}${off(back, -1)}L${off(front, -1)}${arc}${off(front, 1)}Z`;
  return [silhouette, ring(axis[2] >= 0 ? front : back, axis, radius)];
}

/** A strip from a to b; each end round or square. */
export function capsule(a: Point, b: Point, radius: number, roundStart: boolean, roundEnd: boolean): string {
  const d = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(d[0], d[1]);
  if (length < 1e-6) return circle(a[0], a[1], radius);
  const n = [(-d[1] / length) * radius, (d[0] / length) * radius];
  const off = (p: Point, sign: number) => at([p[0] + sign * n[0], p[1] + sign * n[1]]);
  const arc = `A${num(radius)} ${num(radius)} 0 0 1 `;
  const start = (roundStart ? arc : "L") + off(a, -1);
  const end = (roundEnd ? arc : "L") + off(b, 1);
  return `M${off(a, 1)}${start}L${off(b, -1)}${end}Z`;
}

/** Short slanted strokes along a line from a to b, on the side that `side` points to. */
export function hatching(a: Point, b: Point, side: Point, sizes: Record<string, number>, size: number): string {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  if (length === 0) return "";
  const d = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
  const count = Math.max(1, Math.floor(length / (sizes.hatch_step * size)));
  const reach = (sizes.hatch * size) / Math.SQRT2;
  let path = "";
  for (let k = 0; k < count; k += 1) {
    const way = (length * (k + 0.75)) / count;
    const start = [a[0] + d[0] * way, a[1] + d[1] * way];
    path += polyline([start, [start[0] + reach * (side[0] - d[0]), start[1] + reach * (side[1] - d[1])]]);
  }
  return path;
}
