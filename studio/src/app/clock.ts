// The hands of the clock: what is drawn now, while a motion plays or frames go round.

import { effect, signal } from "@preact/signals";
import type { View } from "../viewer/view";
import * as s from "./state";

export const view = signal<View | null>(null);
/** Grows with everything that is drawn anew, so that what lies over the picture follows. */
export const drawn = signal(0);

const LONGEST_FRAME = 0.1; // s
const ROUND = 2.4; // s for frames that go round once

export function split(poses: readonly number[], plane: boolean): number[][] {
  const width = plane ? 3 : 7;
  return Array.from({ length: Math.floor(poses.length / width) }, (_, k) => poses.slice(k * width, (k + 1) * width));
}

let frame: number | undefined;
let round = 0;

function tick(before: number): void {
  frame = requestAnimationFrame((now) => {
    const passed = Math.min(LONGEST_FRAME, Math.max(0, (now - before) / 1000));
    frame = undefined;
    if (s.frames.value) turnRound(passed);
    else if (s.playing.value) advance(passed);
    if (s.frames.value || s.playing.value) tick(now);
  });
}

function turnRound(passed: number): void {
  const all = s.frames.value ?? [];
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  round = (round + passed / (calm ? 3 * ROUND : ROUND)) % 1;
  const poses = all[Math.min(all.length - 1, Math.floor(round * all.length))];
  if (poses) view.value?.hold(split(poses, s.isPlane.value));
}

function advance(passed: number): void {
  const times = s.scene.value?.times ?? [0];
  const [start, end] = [times[0] ?? 0, times[times.length - 1] ?? 0];
  let next = s.time.value + passed * s.speed.value;
  if (next >= end) {
    if (s.looping.value && end > start) next = start + ((next - start) % (end - start));
    else {
      next = end;
      s.playing.value = false;
    }
  }
  s.time.value = next;
}

effect(() => {
  const isRunning = s.playing.value || s.frames.value !== null;
  if (isRunning && frame === undefined) tick(performance.now());
});

export function play(): void {
  if (!s.hasMotion.value) return;
  const times = s.scene.value?.times ?? [0];
  const end = times[times.length - 1] ?? 0;
  s.stance.value = null;
  s.frames.value = null;
  if (s.time.value >= end) s.time.value = times[0] ?? 0;
  s.playing.value = true;
}

export function pause(): void {
  s.playing.value = false;
  s.frames.value = null;
}

export function seek(time: number): void {
  const times = s.scene.value?.times ?? [0];
  s.playing.value = false;
  s.frames.value = null;
  s.stance.value = null;
  s.time.value = Math.min(times[times.length - 1] ?? 0, Math.max(times[0] ?? 0, time));
}

/** The sample nearest to a time. */
export function sample(time: number): number {
  const times = s.scene.value?.times ?? [0];
  let best = 0;
  times.forEach((t, k) => {
    if (Math.abs(t - time) < Math.abs((times[best] ?? 0) - time)) best = k;
  });
  return best;
}

export function step(count: number): void {
  const times = s.scene.value?.times ?? [0];
  const next = Math.min(times.length - 1, Math.max(0, sample(s.time.value) + count));
  seek(times[next] ?? 0);
}
