// Loads as arrows that grow and turn with the motion: forces straight, torques round their axis.
// The twin of arrows.py.

import type { Load, SceneDocument } from "../viewer/scene";
import { cross, type Camera } from "./camera";
import type { Motion } from "./motion";
import { niceStep, shown } from "./paper";
import { polyline } from "./pen";
import type { Arrow, Drawn, Item, Place, Point, Scales, Shows, Wanted, Word } from "./types";

export const ARROW_HEAD = 10;
export const ARROW_WING = 4.2;
export const LEAST_ARROW = 1.5;
export const SMALLEST_HEAD = 0.75;
export const VALUE_OFF = [26, 13]; // px from an arrow's tip to the middle of its words
export const LEAST_VALUED = 12; // px of an arrow that has words
export const MOST_VALUED = 10; // arrows, of more the pointer tells how much they are
export const LONGEST_ARROW = 0.12; // of the scene's extent
export const ARC_STEPS = 24; // of three quarters of a turn

const apart = (a: Point, b: Point) => Math.hypot(b[0] - a[0], b[1] - a[1]);

/** An arc about a vector, by the right hand, at half its length. */
export function loadArc(at: number[], way: number[]): number[][] {
  const length = Math.hypot(...way);
  if (!(length > 0)) return [at, at];
  const axis = way.map((x) => x / length);
  const sizes = axis.map(Math.abs);
  const least = sizes.indexOf(Math.min(...sizes));
  const raw = cross([0, 1, 2].map((k) => (k === least ? 1 : 0)), axis);
  const first = raw.map((x) => x / Math.hypot(...raw));
  const second = cross(axis, first);
  return Array.from({ length: ARC_STEPS + 1 }, (_, step) => {
    const angle = (1.5 * Math.PI * step) / ARC_STEPS;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return at.map((x, k) => x + 0.5 * length * (c * first[k] + s * second[k]));
  });
}

/** The points of a line up to where its head begins, and that place. */
export function cutForHead(line: number[][], head: number): number[][] {
  const tip = line[line.length - 1];
  for (let k = line.length - 2; k >= 0; k -= 1) {
    const reach = apart(tip, line[k]);
    if (reach >= head) {
      const share = (reach - head) / (reach - apart(tip, line[k + 1]) || 1);
      return [...line.slice(0, k + 1), [0, 1].map((i) => line[k][i] + share * (line[k + 1][i] - line[k][i]))];
    }
  }
  return [line[0], line[0]];
}

/** The arrows that are wanted, each with the sign it is drawn with: all, or what acts on one body. */
export function arrowsWanted(scene: SceneDocument, shows: Shows, chosen: number | null): Wanted[] {
  if (chosen === null) {
    const all = [...(shows.forces ? scene.loads : []), ...(shows.reactions ? scene.reactions : [])];
    return all.map((load) => ({ load, sign: 1 }));
  }
  return [...scene.loads, ...scene.reactions].flatMap((load) => {
    if (load.body === chosen) return [{ load, sign: 1 }];
    return load.back === chosen ? [{ load, sign: -1 }] : [];
  });
}

/** N/m of the forces and N m/m of the torques that are drawn together.
 *
 * The largest that ever acts is as long as it was made; of one body, the largest now is `metres` long. */
export function arrowScales(wanted: Wanted[], motion: Motion, place: Place, metres: number, chosen: number | null): Scales {
  const size = ({ load }: Wanted) => {
    if (chosen === null) return load.newtons;
    return (load.newtons * Math.hypot(...[3, 4, 5].map((k) => motion.blended(load.values, 6, k, place)))) / metres;
  };
  const of = (isTorque: boolean) => Math.max(0, ...wanted.filter(({ load }) => load.isTorque === isTorque).map(size));
  return { force: of(false), torque: of(true) };
}

/** Where an arrow begins and how far it goes at a place of the motion, in m, and how much it is, in words. */
export function arrowNow(motion: Motion, { load, sign }: Wanted, scales: Scales, place: Place): Arrow {
  const numbers = [0, 1, 2, 3, 4, 5].map((k) => motion.blended(load.values, 6, k, place));
  const scale = load.isTorque ? scales.torque : scales.force;
  const long = scale > 0 ? (sign * load.newtons) / scale : 0;
  const size = Math.hypot(...numbers.slice(3)) * load.newtons;
  const words = `${shown(size, 3)} ${load.isTorque ? "N m" : "N"}`;
  return { tail: numbers.slice(0, 3), way: numbers.slice(3).map((x) => long * x), words };
}

/** One arrow: a shaft and a head that never outgrows it, and beside its tip how much it is. */
export function loadArrow(scene: SceneDocument, camera: Camera, load: Load, { tail, way, words }: Arrow): Drawn {
  const points = load.isTorque ? loadArc(tail, way) : [tail, tail.map((x, k) => x + way[k])];
  const line = points.map((point) => camera.project(point));
  const length = line.slice(1).reduce((sum, point, k) => sum + apart(line[k], point), 0);
  if (length < LEAST_ARROW) return { items: [], texts: [] };
  const most = (load.isTorque ? 0.3 : 0.7) * length;
  const head = Math.min(ARROW_HEAD * Math.max(camera.size, SMALLEST_HEAD), most);
  const shaft = cutForHead(line, head);
  const [tip, foot] = [line[line.length - 1], shaft[shaft.length - 1]];
  const span = apart(foot, tip) || 1;
  const wing = (head * ARROW_WING) / ARROW_HEAD / span;
  const corner = (sign: number) => [foot[0] - sign * wing * (tip[1] - foot[1]), foot[1] + sign * wing * (tip[0] - foot[0])];
  const near = Math.max(...line.map((point) => point[2])) + scene.sizes.lift * camera.size;
  const part = `${load.name}: ${words}`;
  const out = [0, 1].map((k) => (tip[k] - foot[k]) / span);
  const text: Word = { kind: "load-value", text: words, x: tip[0] + VALUE_OFF[0] * out[0], y: tip[1] + VALUE_OFF[1] * out[1] + 4, anchor: "middle" };
  const items: Item[] = [
    { layer: "top", kind: "load", d: polyline(shaft), near, part },
    { layer: "top", kind: "load-head", d: polyline([tip, corner(1), corner(-1)], true), near, part },
  ];
  return { items, texts: length < LEAST_VALUED ? [] : [text] };
}

/** The arrows of one moment as items, with words where they are few enough to be read. */
export function loadPicture(scene: SceneDocument, camera: Camera, motion: Motion, wanted: Wanted[], scales: Scales, place: Place): Drawn {
  const made = wanted.map((one) => loadArrow(scene, camera, one.load, arrowNow(motion, one, scales, place)));
  const texts = wanted.length > MOST_VALUED ? [] : made.flatMap((one) => one.texts);
  return { items: made.flatMap((one) => one.items), texts };
}

/** A round force and the metres that stand for it, at least half as long as that; null without forces. */
export function forceScale({ force }: Scales, metres: number): { words: string; metres: number } | null {
  if (!(force > 0)) return null;
  const newtons = niceStep(0.5 * force * metres);
  return { words: `${shown(newtons, 3)} N`, metres: newtons / force };
}

/** Where the arrows reach at a sample, those of reactions too where they are drawn from the start. */
export function loadTips(scene: SceneDocument, index: number): number[][] {
  const reactions = scene.reactions.length <= MOST_VALUED ? scene.reactions : [];
  return [...scene.loads, ...reactions].flatMap(({ values, isTorque }) => {
    const [at, way] = [values.slice(6 * index, 6 * index + 3), values.slice(6 * index + 3, 6 * index + 6)];
    if (!isTorque) return [at.map((x, k) => x + way[k])];
    const half = 0.5 * Math.hypot(...way);
    return [0, 1, 2].flatMap((axis) => [-half, half].map((r) => at.map((x, k) => x + (k === axis ? r : 0))));
  });
}
