// What the parts of the player give out; see src/kempe/draw/formats/player.
import type { Load, SceneDocument } from "./scene";
export type Point = readonly number[];
export interface BodyPose { r: number[]; R: number[] }
export interface Place { index: number; share: number }
export class Motion {
  constructor(scene: SceneDocument);
  scene: SceneDocument;
  times: number[];
  start: number;
  end: number;
  duration: number;
  place(time: number): Place;
  nearest(time: number): number;
  blended(values: readonly number[], width: number, offset: number, place: Place): number;
  pose(body: number | null, place: Place): BodyPose;
  poses(place: Place): BodyPose[];
  get closes(): boolean;
}
export class Camera {
  scale: number;
  size: number;
  project(p: Point): [number, number, number];
  rows: number[][];
  origin: number[];
  focus: number[];
}
export class Stage {
  constructor(motion: Motion);
  motion: Motion;
  scene: SceneDocument;
  element: HTMLElement;
  svg: SVGSVGElement;
  camera: Camera | null;
  reach: number[][];
  zoom: number;
  pan: number[];
  width: number;
  height: number;
  layers: Record<string, SVGGElement>;
  home(): void;
  measure(): boolean;
  aim(): void;
  shift(dx: number, dy: number): void;
  orbit(azimuth: number, elevation: number): void;
  look(azimuth: number, elevation: number): void;
  magnify(factor: number, about?: number[]): void;
  show(what: string, on: boolean): void;
  draw(time: number): void;
  point(event: PointerEvent | null): void;
  snapshot(css: string): string;
}
export function carry(pose: BodyPose, p: Point): number[];
export function planarTurn(angle: number): number[];
export function spatialTurn(q: Point): number[];
export function everything(motion: Motion): number[][];
export function shown(value: number, digits?: number): string;
export function niceStep(least: number): number;
export function multiples(step: number, low: number, high: number): number[];
export function tone(colour: number | null): string;
export interface Wanted { load: Load; sign: number }
export interface Scales { force: number; torque: number }
export function arrowsWanted(scene: SceneDocument, shows: Record<string, boolean>, chosen: number | null): Wanted[];
export function arrowScales(wanted: Wanted[], motion: Motion, place: Place, metres: number, chosen: number | null): Scales;
export function arrowNow(motion: Motion, one: Wanted, scales: Scales, place: Place): { tail: number[]; way: number[]; words: string };
export function forceScale(scales: Scales, metres: number): { words: string; metres: number } | null;
export interface Word { kind: string; text: string; x: number; y: number; half?: number }
export function keptApart<T extends Word>(scene: SceneDocument, texts: T[], width: number, height: number): T[];
export const LONGEST_ARROW: number;
export const MOST_VALUED: number;
