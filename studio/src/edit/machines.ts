// Slots, wheels, gears, racks, curves, dampers and motors as operations on a document.

import type { Operation } from "../app/actions";
import { members } from "../app/state";
import { freshName, hold, nextLetter, type Spot } from "./making";
import { asLength, tidy } from "./units";

type Place = readonly [number, number];

function set(path: (string | number)[], value: unknown): Operation {
  return { op: "set", path, value };
}

function apart(a: Spot, b: Spot): Place {
  return [b.at[0] - a.at[0], b.at[1] - a.at[1]];
}

function direction([x, y]: Place): [number, number, number] {
  const size = Math.hypot(x, y) || 1;
  return [tidy(x / size), tidy(y / size), 0];
}

/** The body of which a spot is the origin, but the ground. */
function bodyAt(spot: Spot): string | null {
  const { point } = spot;
  if (!point || point.body === "ground" || point.at.some((x) => Math.abs(x) > 1e-12)) return null;
  return point.body;
}

/** A pin in a slot of a body, along its x; or in one of the ground, from the pin to where was clicked. */
export function slotOperations(pin: Spot, to: Spot, body: string | null): Operation[] {
  const name = freshName("joints", "slot");
  if (body !== null && body !== "ground") {
    return [set(["joints", name], { type: "pin_in_slot", I: { body, at: [0, 0], axis: [1, 0, 0] }, J: hold(pin) })];
  }
  const at = [asLength(pin.at[0]), asLength(pin.at[1])];
  return [set(["joints", name], { type: "pin_in_slot", I: { body: "ground", at, axis: direction(apart(pin, to)) }, J: hold(pin) })];
}

interface Wheel { name: string; carrier: string; operations: Operation[] }

/** What turns about a spot: the body that has its origin there, or a new wheel that is hinged to it. */
function wheelAt(spot: Spot, fresh: boolean, taken: string[]): Wheel {
  const there = bodyAt(spot);
  if (there !== null && !fresh) return { name: there, carrier: "ground", operations: [] };
  const name = freshWheel(taken);
  const joint = nextLetter(taken);
  const body = spot.point?.body ?? "ground";
  const isFixed = there !== null && hasGroundPin(there);
  taken.push(name, joint);
  const at = [asLength(spot.at[0]), asLength(spot.at[1])];
  return {
    name,
    carrier: isFixed ? "ground" : body,
    operations: [
      set(["bodies", name], { at }),
      set(["joints", joint], { type: "revolute", I: isFixed ? { body: "ground", at } : hold(spot), J: name }),
    ],
  };
}

function freshWheel(taken: string[]): string {
  for (let k = 1; ; k += 1) {
    const name = `wheel${k}`;
    if (!taken.includes(name) && !(name in members("bodies"))) return name;
  }
}

/** Whether a body is hinged to the ground at its origin. */
function hasGroundPin(body: string): boolean {
  const isGround = (side: unknown) => side === "ground" || (typeof side === "object" && side !== null && (side as { body?: unknown }).body === "ground");
  const isHere = (side: unknown) => side === body || side === `${body}.start`;
  return Object.values(members("joints")).some((one) =>
    one["type"] === "revolute" && ((isGround(one["I"]) && isHere(one["J"])) || (isGround(one["J"]) && isHere(one["I"]))));
}

export function wheelOperations(spot: Spot): { name: string; operations: Operation[] } {
  return wheelAt(spot, true, []);
}

/** Two wheels in mesh about two spots; one that sits on a moving body has it as its carrier. */
export function gearOperations(a: Spot, b: Spot, teeth: readonly [number, number], internal: boolean, fresh: boolean): Operation[] {
  const taken: string[] = [];
  const [first, second] = [wheelAt(a, fresh, taken), wheelAt(b, fresh, taken)];
  const carrier = [second.carrier, first.carrier].find((one) => one !== "ground" && one !== first.name && one !== second.name);
  const gauges = [first, second].map((one) => `${one.name}.angle`);
  const value = { type: "gear_pair", gauges: carrier ? [...gauges, `${carrier}.angle`] : gauges, teeth, ...(internal ? { internal } : {}) };
  return [...first.operations, ...second.operations, set(["couplers", freshName("couplers", "gear")], value)];
}

/** A rack on a line of the ground through a spot, and the wheel it turns. `angle` (rad) is that of the line. */
export function rackOperations(centre: Spot, at: Spot, angle: number, fresh: boolean): Operation[] {
  const pinion = wheelAt(centre, fresh, []);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [dx, dy] = apart(at, centre);
  const radius = -s * dx + c * dy;
  const known = bodyAt(at);
  const guide = known === null ? undefined : Object.entries(members("joints")).find(([, one]) =>
    one["type"] === "prismatic" && (one["J"] === known || (one["J"] as { body?: string }).body === known))?.[0];
  const operations = [...pinion.operations];
  const rail = guide ?? freshName("joints", "rail");
  if (guide === undefined) {
    const rack = freshName("bodies", "rack");
    const axis = [tidy(c), tidy(s), 0];
    const place = [asLength(at.at[0]), asLength(at.at[1])];
    operations.push(
      set(["bodies", rack], { at: place }),
      set(["joints", rail], { type: "prismatic", I: { body: "ground", at: place, axis }, J: { body: rack, at: [0, 0], axis } }),
    );
  }
  operations.push(set(["couplers", freshName("couplers", "mesh")], {
    type: "rack_and_pinion", gauges: [`${rail}.displacement`, `${pinion.name}.angle`], radius: asLength(radius),
  }));
  return operations;
}

/** A point that runs along a smooth curve of the ground through places. */
export function curveOperations(rider: Spot, through: readonly Spot[], closed: boolean): Operation[] {
  const stations = through.map((one) => [asLength(one.at[0]), asLength(one.at[1])]);
  const curve = { type: "through", points: stations, ...(closed ? { closed } : {}) };
  return [set(["joints", freshName("joints", "track")], { type: "point_on_curve", I: "ground", J: hold(rider), curve })];
}

export function damperOperations(a: Spot, b: Spot, damping: number | string): Operation[] {
  return [set(["forces", freshName("forces", "damper")], { type: "line_spring", I: hold(a), J: hold(b), damping })];
}

/** A motor whose torque falls with its speed, between the ground and a body. */
export function motorOperations(body: string, stall: string, noLoad: string): Operation[] {
  return [set(["forces", freshName("forces", "motor")], { type: "dc_motor", gauge: `${body}.angle`, stall, no_load: noLoad })];
}
