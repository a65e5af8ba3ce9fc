// The tools of the drawing board: a click, or a line that was typed, is a spot; enough spots are a part.

import { batch, signal } from "@preact/signals";
import { edit, type Operation } from "../app/actions";
import { members, notice, points, say, selection, tool, type Tool } from "../app/state";
import type { View } from "../viewer/view";
import { words } from "../words";
import {
  barOperations, driveOperations, forceOperations, freshName, hingeOperations, massOperations, pinOperations,
  sliderOperations, springOperations, spotWords, type Spot,
} from "./making";
import { placeOf } from "./reshape";
import { asLength, lengthUnit, metres } from "./units";

/** The first end of what takes two. */
export const first = signal<Spot | null>(null);
/** Where the pointer is, snapped. */
export const hovered = signal<Spot | null>(null);
export const lengthText = signal("");
export const options = signal({ stiffness: "100 N/m", mass: "1 kg", pullX: "0", pullY: "-10", speed: "60 rpm", axis: "0 deg" });

export const TWO_ENDED: ReadonlySet<Tool> = new Set<Tool>(["bar", "joint", "spring"]);
const ON_A_BODY: ReadonlySet<Tool> = new Set<Tool>(["pin", "slider", "force"]);
const SNAP = 14; // px
const FINE = 8; // px that a step of free places is at least

export function choose(next: Tool): void {
  batch(() => {
    tool.value = next;
    first.value = null;
    hovered.value = null;
    lengthText.value = "";
  });
  say(`${words.tools[next]}. ${words.tools.hints[next] ?? ""}`);
}

/** What lies under the pointer: a named point near by, or paper, to a round number. */
export function spotAt(view: View, x: number, y: number, round: (least: number) => number, unitScale: number): Spot {
  let best: Spot | null = null;
  let reach = SNAP;
  for (const point of points.value) {
    const at = placeOf(view, point);
    const [px, py] = view.project(at);
    const away = Math.hypot(px - x, py - y);
    // Of two in one place the one with a name of its own wins: crank.start, not crank.
    const isBetter = Math.abs(away - reach) < 1e-6 && best !== null && !best.point?.name.includes(".");
    if (away < reach - 1e-6 || isBetter) {
      reach = away;
      best = { point, at: [at[0] ?? 0, at[1] ?? 0, at[2] ?? 0] };
    }
  }
  if (best) return best;
  const free = view.unproject(x, y);
  const [a, b] = [view.unproject(0, 0), view.unproject(FINE, 0)];
  const step = round(Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) * unitScale) / unitScale;
  return { point: null, at: [Math.round(free[0] / step) * step, Math.round(free[1] / step) * step, 0] };
}

/** A spot from typed text: a point's name, or two numbers in the document's unit. */
export function spotFrom(view: View | null, text: string): Spot | null {
  const clean = text.trim();
  const point = points.value.find((one) => one.name === clean);
  if (point && view) {
    const at = placeOf(view, point);
    return { point, at: [at[0] ?? 0, at[1] ?? 0, at[2] ?? 0] };
  }
  const numbers = clean.replace(/[()]/g, "").split(/[,;\s]+/).filter(Boolean).map(Number);
  if (numbers.length < 2 || numbers.some((x) => !Number.isFinite(x))) return null;
  const [x, y, z] = numbers.map((n) => metres(n) ?? n);
  return { point: null, at: [x ?? 0, y ?? 0, z ?? 0] };
}

/** The far end of a bar of a given length in the direction of a spot. */
export function atLength(from: Spot, towards: Spot, length: number): Spot {
  const way = [towards.at[0] - from.at[0], towards.at[1] - from.at[1]] as const;
  const now = Math.hypot(...way) || 1;
  const unit = now > 0 && (way[0] !== 0 || way[1] !== 0) ? way.map((x) => x / now) : [1, 0];
  return { point: null, at: [from.at[0] + length * (unit[0] ?? 1), from.at[1] + length * (unit[1] ?? 0), 0] };
}

async function make(operations: Operation[], what: string, pick?: { kind: string; name: string }): Promise<boolean> {
  const isDone = await edit(operations, words.draft.added(what));
  if (isDone && pick) selection.value = [pick];
  return isDone;
}

/** A tool got a spot; true where a part was made. */
export async function use(spot: Spot): Promise<boolean> {
  const now = tool.value;
  if (TWO_ENDED.has(now) && first.value === null) {
    first.value = spot;
    if (now === "bar") say(words.draft.started(spotWords(spot)));
    return false;
  }
  if (ON_A_BODY.has(now) && (spot.point === null || spot.point.body === "ground")) return complain(words.draft.onABody);
  const start = first.value;
  if (now === "bar" && start) return makeBar(start, spot);
  first.value = null;
  if (now === "joint" && start) {
    if (start.point?.name === spot.point?.name) return complain(words.draft.selfJoin);
    return make(hingeOperations(start, spot), words.tools.joint);
  }
  if (now === "spring" && start) return make(springOperations(start, spot, options.value.stiffness), words.tools.spring);
  if (now === "pin") return make(pinOperations(spot), words.tools.pin);
  if (now === "slider") return make(sliderOperations(spot, degrees(options.value.axis)), words.tools.slider);
  if (now === "force") return make(forceOperations(spot, [newtons(options.value.pullX), newtons(options.value.pullY), 0]), words.tools.force);
  return false;
}

function newtons(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) && text.trim() !== "" ? value : text.trim();
}

function degrees(text: string): number {
  const value = Number.parseFloat(text);
  return ((Number.isFinite(value) ? value : 0) * Math.PI) / 180;
}

function complain(text: string): boolean {
  notice("bad", text);
  return false;
}

export async function makeBar(start: Spot, end: Spot): Promise<boolean> {
  const typed = lengthText.value.trim();
  const plain = Number(typed);
  const isNumber = typed !== "" && Number.isFinite(plain);
  const metresOf = isNumber ? (metres(plain) ?? plain) : null;
  const far = metresOf !== null && end.point === null ? atLength(start, end, metresOf) : end;
  if (start.at.every((x, k) => x === far.at[k])) return complain(words.draft.selfJoin);
  const { name, operations } = barOperations(start, far, typed === "" ? null : isNumber ? plain : typed);
  const isMade = await make(operations, name, { kind: "bodies", name });
  if (isMade) {
    batch(() => {
      // The next bar goes on from here: a chain needs one click a bar.
      const point = points.value.find((one) => one.name === `${name}.end`) ?? null;
      first.value = far.point ? null : point ? { point, at: far.at } : null;
      lengthText.value = "";
    });
  }
  return isMade;
}

/** A tool that works on bodies got one. */
export async function useBody(body: string, at: readonly number[] | null): Promise<boolean> {
  const now = tool.value;
  if (now === "mass") return make(massOperations(body, options.value.mass), words.tools.mass, { kind: "bodies", name: body });
  if (now === "drive") return make(driveOperations(body, options.value.speed), words.tools.drive, { kind: "drives", name: `${body}.angle` });
  if (now === "point" && at) {
    const known = Object.keys((members("bodies")[body]?.["points"] as object | undefined) ?? {});
    const name = ["P", "Q", "R", "S", "T"].find((letter) => !known.includes(letter)) ?? freshName("bodies", "P");
    return make([{ op: "set", path: ["bodies", body, "points", name], value: at.slice(0, 2).map((x) => asLength(x)) }], `${body}.${name}`, { kind: "bodies", name: body });
  }
  return false;
}

export function unitHint(): string {
  return lengthUnit();
}
