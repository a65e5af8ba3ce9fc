// What the parts of the player give out; see src/kempe/draw/formats/player.
import type { SceneDocument } from "./scene";
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
