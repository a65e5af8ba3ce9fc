// Numbers between the drawing (m, rad) and the document (its own units), and as people read them.

import { doc, isPlane, scene } from "../app/state";

const LENGTHS: Record<string, number> = { m: 1, mm: 1e-3, cm: 1e-2, um: 1e-6, km: 1e3, in: 0.0254, inch: 0.0254, ft: 0.3048 };
const ANGLES: Record<string, number> = { rad: 1, deg: Math.PI / 180 };

function unitOf(kind: "length" | "angle", fallback: string): string {
  const units = doc.value?.data["units"];
  const said = units && typeof units === "object" ? (units as Record<string, unknown>)[kind] : undefined;
  return typeof said === "string" ? said : fallback;
}

/** A part of the drawing's size, 10 to the power of -digits, as a power of ten. */
function grain(digits: number): number {
  const all = (scene.value?.bodies ?? []).flatMap((body) => [
    ...body.position,
    ...body.shapes.flatMap((shape) => ("points" in shape ? shape.points.flat() : [])),
  ]);
  const size = all.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return size > 0 ? 10 ** (Math.floor(Math.log10(size)) - digits) : 0;
}

const PICTURE = 6; // digits: what is finer is round-off of the picture
const BY_HAND = 5; // digits of a place in the plane: an end that was put at 40 is drawn at 39.9999

/** A length in m as the document writes it. */
export function asLength(exact: number, digits = PICTURE): number | string {
  const least = grain(digits);
  const metres = least > 0 ? Math.round(exact / least) * least : exact;
  const unit = LENGTHS[unitOf("length", "m")];
  return unit === undefined ? `${tidy(metres)} m` : tidy(metres / unit);
}

/** A coordinate of a place as the document writes it: where a hand put something, in round numbers. */
export function asPlace(exact: number): number | string {
  return asLength(exact, isPlane.value ? BY_HAND : PICTURE);
}

export function asAngle(radians: number): number | string {
  const unit = ANGLES[unitOf("angle", "rad")];
  return unit === undefined ? `${tidy(radians)} rad` : tidy(radians / unit);
}

export function lengthUnit(): string {
  return unitOf("length", "m");
}

export function angleUnit(): string {
  return unitOf("angle", "rad");
}

/** A bare number of the document in m; null for formulas and other units. */
export function metres(value: unknown): number | null {
  const unit = LENGTHS[unitOf("length", "m")];
  return typeof value === "number" && unit !== undefined ? value * unit : null;
}

/** Nine significant digits: a nanometre on a metre. */
export function tidy(value: number): number {
  return Number(value.toPrecision(9));
}

/** A length as the picture's paper counts it. */
export function shownLength(value: number, digits = 4): string {
  const unit = scene.value?.unit_scale ?? 1;
  return String(Number((value * unit).toPrecision(digits))).replace("-", "\u2212");
}

export function shownUnit(): string {
  return scene.value?.unit ?? "m";
}

/** From typed text in the picture's unit to m. */
export function fromShown(text: string): number | null {
  const value = Number(text.trim().replace("\u2212", "-"));
  return text.trim() === "" || !Number.isFinite(value) ? null : value / (scene.value?.unit_scale ?? 1);
}
