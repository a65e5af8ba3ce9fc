// What lies behind and on top of the mechanism: the grid with its numbers, and names. The twin of paper.py.

import type { Body, SceneDocument, Triple } from "../viewer/scene";
import { dot, FACING, shapeCorners, type Camera } from "./camera";
import { carry } from "./motion";
import { num, polyline } from "./pen";
import { mean, tone } from "./picture";
import type { BodyPose, Drawn, Item, Point, Word } from "./types";

/** The smallest of 1, 2, 5 times a power of ten that is not below `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= least * (1 - 1e-9)) ?? 10 * power;
}

export function multiples(step: number, low: number, high: number): number[] {
  const found: number[] = [];
  for (let k = Math.ceil(low / step); k <= Math.floor(high / step); k += 1) found.push(k * step);
  return found;
}

/** A number as people write it, with a real minus sign. */
export function shown(value: number, digits = 6): string {
  const text = String(Number(value.toPrecision(digits)));
  return text.replace("-", "\u2212");
}

/** Squared paper with numbers. */
export function squaredPaper(scene: SceneDocument, camera: Camera, width: number, height: number): Drawn {
  const { origin, focus, scale } = camera;
  const unit = scene.unit_scale;
  const step = niceStep((scene.sizes.tick / scale) * unit) / unit;
  const items: Item[] = [];
  const texts: Word[] = [{ kind: "tick", text: scene.unit, x: 8, y: height - 8, anchor: "start" }];
  for (const x of multiples(step, focus[0] - origin[0] / scale, focus[0] + (width - origin[0]) / scale)) {
    const px = origin[0] + scale * (x - focus[0]);
    items.push({ layer: "grid", kind: x === 0 ? "axis" : "grid", d: `M${num(px)} 0V${num(height)}` });
    if (px > 40 && px < width - 16) {
      texts.push({ kind: "tick", text: shown(x * unit), x: px, y: height - 8, anchor: "middle" });
    }
  }
  for (const y of multiples(step, focus[1] - (height - origin[1]) / scale, focus[1] + origin[1] / scale)) {
    const py = origin[1] - scale * (y - focus[1]);
    items.push({ layer: "grid", kind: y === 0 ? "axis" : "grid", d: `M0 ${num(py)}H${num(width)}` });
    if (py > 46 && py < height - 26) {
      texts.push({ kind: "tick", text: shown(y * unit), x: 8, y: py + 3.5, anchor: "start" });
    }
  }
  items.sort((a, b) => Number(a.kind === "axis") - Number(b.kind === "axis"));
  return { items, texts };
}

/** The floor below a spatial scene, in squares of a round length, and the world's axes in a corner. */
export function squaredFloor(scene: SceneDocument, camera: Camera, height: number): Drawn {
  const { sizes } = scene;
  const reach = Math.max(Math.hypot(...camera.high.map((x, k) => x - camera.low[k])), 1e-9);
  const low = [0, 1].map((k) => camera.low[k] - sizes.apron * reach);
  const high = [0, 1].map((k) => camera.high[k] + sizes.apron * reach);
  const longer = Math.max(high[0] - low[0], high[1] - low[1]);
  const step = niceStep((longer / sizes.floor_lines) * scene.unit_scale) / scene.unit_scale;
  const first = low.map((x) => Math.floor(x / step) * step);
  const last = high.map((x) => Math.ceil(x / step) * step);
  const line = (a: Point, b: Point) => polyline([a, b].map(([x, y]) => camera.project([x, y, camera.floor])));
  const slack = 1e-9 * step;
  let d = "";
  for (const x of multiples(step, first[0] - slack, last[0] + slack)) d += line([x, first[1]], [x, last[1]]);
  for (const y of multiples(step, first[1] - slack, last[1] + slack)) d += line([first[0], y], [last[0], y]);
  const items: Item[] = [{ layer: "grid", kind: "axis", d }];
  const texts: Word[] = [];
  const corner = [sizes.triad_place, height - sizes.triad_place];
  ["x", "y", "z"].forEach((text, k) => {
    const axis = (scene.world || FACING).map((row) => row[k]);
    const way = [dot(camera.rows[0], axis), -dot(camera.rows[1], axis)];
    const tip = (length: number) => [corner[0] + length * way[0], corner[1] + length * way[1]];
    items.push({ layer: "grid", kind: "triad", d: polyline([corner, tip(sizes.triad)]) });
    if (Math.hypot(way[0], way[1]) < sizes.flat) return;
    const [x, y] = tip(sizes.triad + 9);
    texts.push({ kind: "tick letter", text, x, y: y + 3.5, anchor: "middle" });
  });
  return { items, texts };
}

/** A word some way from a point. It circles with the direction and never jumps. */
export function beside(scene: SceneDocument, kind: string, text: string, point: Point, away: Point): Word {
  const { label, letter } = scene.sizes;
  const half = 0.5 * letter * [...text].length;
  const x = point[0] + (label + half) * away[0];
  return { kind, text, x, y: point[1] + label * away[1] + 4, anchor: "middle" };
}

/** The direction to the left of a bar as one goes along it; upwards where there is no bar. */
export function asideOf(outline: readonly Point[]): number[] {
  if (outline.length < 2) return [0, -1.5];
  const d = [outline[1][0] - outline[0][0], outline[1][1] - outline[0][1]];
  const length = Math.max(Math.hypot(d[0], d[1]), 1e-9);
  return [d[1] / length, -d[0] / length];
}

/** Push two boxes at p and q, of half sizes a and b, apart; whether they overlapped. */
export function pushed(p: number[], q: number[], a: Point, b: Point, touching: number): boolean {
  const over = [0, 1].map((k) => a[k] + b[k] - Math.abs(p[k] - q[k]));
  if (Math.min(...over) <= touching) return false;
  const k = over[0] < over[1] ? 0 : 1;
  const way = (p[k] >= q[k] ? 0.5 : -0.5) * over[k];
  p[k] += way;
  q[k] -= way;
  return true;
}

/** Words moved off each other where they overlap, and into the paper: the least way. */
export function keptApart<T extends Word>(scene: SceneDocument, texts: T[], width: number, height: number): T[] {
  const { letter, point_letter: large, word, word_gap: gap, touching, rounds } = scene.sizes;
  const wide = ({ kind, text }: Word) => 0.5 * (kind.includes("point") ? large : letter) * text.length;
  const half = texts.map((text) => [text.half ?? wide(text) + gap, 0.5 * word]);
  const places = texts.map(({ x, y }) => [x, y]);
  for (let n = 0; n < rounds; n += 1) {
    let moved = false;
    for (let i = 0; i < texts.length; i += 1) {
      for (let j = 0; j < i; j += 1) {
        moved = pushed(places[i], places[j], half[i], half[j], touching) || moved;
      }
    }
    places.forEach((place, k) => {
      const [long, high] = half[k];
      const x = Math.min(Math.max(place[0], long), Math.max(width - long, long));
      const y = Math.min(Math.max(place[1], 2 * high), Math.max(height - high, high));
      moved = moved || x !== place[0] || y !== place[1];
      places[k] = [x, y];
    });
    if (!moved) break;
  }
  return texts.map((text, k) => ({ ...text, x: places[k][0], y: places[k][1] }));
}

/** The points of a body that have room for a name: none nearer to one before it than a word. */
export function toldApart(scene: SceneDocument, camera: Camera, body: Body): [string, Triple][] {
  const chosen: [string, Triple][] = [];
  for (const [name, point] of body.points) {
    const gaps = chosen.map(([, other]) => camera.scale * Math.hypot(...point.map((x, k) => x - other[k])));
    if (Math.min(scene.sizes.crowd, ...gaps) >= scene.sizes.crowd) chosen.push([name, point]);
  }
  return chosen;
}

/** A body's name beside its middle, and its points' names away from it. */
export function bodyNames(scene: SceneDocument, camera: Camera, body: Body, pose: BodyPose): Word[] {
  const corners = body.shapes.length ? body.shapes.flatMap(shapeCorners) : [[0, 0, 0]];
  const outline = corners.map((p) => camera.project(carry(pose, p)));
  const middle = [mean(outline, 0), mean(outline, 1)];
  const aside = asideOf(outline);
  const away = outline.length > 2 ? [0, 0] : aside;
  const texts: Word[] = [];
  if (!body.points.some(([name]) => name === body.name)) {
    texts.push(beside(scene, `name ${tone(body.colour)}`, body.name, middle, away));
  }
  for (const [name, point] of toldApart(scene, camera, body)) {
    const seen = camera.project(carry(pose, point));
    const d = [seen[0] - middle[0], seen[1] - middle[1]];
    const length = Math.hypot(d[0], d[1]);
    const out = length < scene.sizes.label ? [-aside[0], -aside[1]] : [d[0] / length, d[1] / length];
    texts.push(beside(scene, "name point", name, seen, out));
  }
  return texts;
}
