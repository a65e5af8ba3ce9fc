// One plot of one quantity, with a cursor that keeps step with the motion and with every other plot.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { seek } from "../app/clock";
import * as s from "../app/state";
import type { Column } from "../messages";
import { words } from "../words";
import { Button } from "./bits";

const HEIGHT = 150;
const DASHES = [[], [7, 4], [2, 3]];

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A value as people read it: lengths in the unit of the drawing, angles in degrees. */
export function shownValue(column: Column, k: number): number | null {
  const value = column.values[k];
  return value === null || value === undefined ? null : Number((value * column.shown).toPrecision(15));
}

function shownValues(column: Column): (number | null)[] {
  return column.values.map((_, k) => shownValue(column, k));
}

export function Plot({ row, index, remove }: { row: s.PlotRow; index: number; remove: () => void }) {
  const host = useRef<HTMLDivElement>(null);
  const made = useRef<uPlot | null>(null);
  const { columns, against, times } = row;

  useEffect(() => {
    const at = host.current;
    if (!at || !columns.length || !against) return;
    made.current = drawn(at, row, index);
    const watcher = new ResizeObserver(() => made.current?.setSize({ width: at.clientWidth, height: HEIGHT }));
    watcher.observe(at);
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const again = () => {
      made.current?.destroy();
      made.current = drawn(at, row, index);
    };
    dark.addEventListener("change", again);
    return () => {
      dark.removeEventListener("change", again);
      watcher.disconnect();
      made.current?.destroy();
    };
  }, [columns, against, index]);

  const time = s.time.value;
  const now = valueAt(times, against ? shownValues(against) : [], time);
  useEffect(() => {
    const plot = made.current;
    if (plot && now !== null) plot.setCursor({ left: plot.valToPos(now, "x"), top: -10 }, false);
  }, [now, columns]);

  const values = columns.map((column) => valueAt(times, shownValues(column), time));
  return (
    <figure class="plot">
      <figcaption>
        <span class="plot-name">{row.name}</span>
        <output class="plot-value">{values.map((value) => (value === null ? "" : Number(value.toPrecision(4)))).join(", ")} {columns[0]?.shown_unit}</output>
        <Button label={words.forces.remove(row.name)} icon="close" bare kind="quiet" act={remove} />
      </figcaption>
      {row.problem ? <p class="bad">{row.problem}</p> : <div ref={host} class="plot-host" role="img" aria-label={columns.length ? columns.map(said).join("; ") : row.name} />}
    </figure>
  );
}

function said(column: Column): string {
  const numbers = shownValues(column).filter((one): one is number => one !== null);
  return `${column.name}: ${Math.min(...numbers).toPrecision(4)} … ${Math.max(...numbers).toPrecision(4)} ${column.shown_unit}`;
}

/** The value at a moment, between samples on a line. */
function valueAt(times: readonly number[], values: readonly (number | null)[], time: number): number | null {
  let k = times.findIndex((t) => t >= time);
  if (k < 0) k = times.length - 1;
  if (k <= 0) return values[0] ?? null;
  const [t0, t1, v0, v1] = [times[k - 1] ?? 0, times[k] ?? 0, values[k - 1] ?? null, values[k] ?? null];
  if (v0 === null || v1 === null) return null;
  return t1 > t0 ? v0 + ((v1 - v0) * (time - t0)) / (t1 - t0) : v1;
}

const NARROW = 1e-4; // share of a value: what differs by less is drawn as how far it is off its middle

/** What is taken off the values before they are drawn: nothing, unless they differ in late digits alone. */
function baseOf(columns: (number | null)[][]): number {
  const values = columns.flat().filter((one): one is number => one !== null);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const middle = (low + high) / 2;
  return high > low && high - low < NARROW * Math.abs(middle) ? Number(middle.toPrecision(12)) : 0;
}

/** Marks of an axis: numbers, or the middle one and how far the others are off it. */
function marks(splits: number[], base: number): string[] {
  const step = Math.abs((splits[1] ?? 0) - (splits[0] ?? 0)) || 1;
  const size = Math.max(...splits.map(Math.abs));
  if (base !== 0) return splits.map((v) => (v === 0 ? String(Number(base.toPrecision(6))) : `${v > 0 ? "+" : "−"}${Math.abs(v).toExponential(0)}`));
  const digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));
  return splits.map((v) => (size >= 1e6 || size < 1e-4 ? String(Number(v.toPrecision(6))) : v.toFixed(digits)));
}

const FLAT = 1e-11; // of a value: what differs by less is one value and its round-off

/** A range with room at both ends; a value that stays the same lies in the middle. */
function roomy(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  if (high - low > FLAT * Math.max(Math.abs(low), Math.abs(high))) return uPlot.rangeNum(low, high, 0.1, true) as [number, number];
  const slack = 0.1 * Math.abs(high) || 1;
  return [low - slack, high + slack];
}

/** From the least to the largest of some values, with a little room. */
function reach(columns: (number | null)[][]): [number, number] {
  const values = columns.flat().filter((one): one is number => one !== null);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const slack = 0.04 * (high - low) || 0.1 * Math.abs(high) || 1;
  return [low - slack, high + slack];
}

/** A line through all samples in their order, against something that goes back and forth. */
const wandering: uPlot.Series.PathBuilder = (plot, k) => {
  const stroke = new Path2D();
  const [across, up] = [plot.data[0], plot.data[k] ?? []];
  let isDown = false;
  across.forEach((x, n) => {
    const y = up[n];
    if (x === null || y === null || y === undefined) {
      isDown = false;
      return;
    }
    const [px, py] = [plot.valToPos(x, "x", true), plot.valToPos(y, "y", true)];
    if (isDown) stroke.lineTo(px, py);
    else stroke.moveTo(px, py);
    isDown = true;
  });
  return { stroke };
};

function drawn(at: HTMLElement, { columns, against, times }: s.PlotRow, index: number): uPlot {
  const [ink, grid, paper] = [css("--muted"), css("--axis"), css("--panel")];
  const axis = {
    stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: "11px Helvetica, Arial, sans-serif",
  };
  const up = columns.map(shownValues);
  const base = baseOf(up);
  const label = against?.shown_unit ? `${against.name} (${against.shown_unit})` : (against?.name ?? "");
  const along = against ? shownValues(against) : [];
  const isInOrder = along.every((x, k) => k === 0 || (x ?? 0) >= (along[k - 1] ?? 0));
  const options: uPlot.Options = {
    width: at.clientWidth || 320,
    height: HEIGHT,
    legend: { show: false },
    scales: isInOrder ? { x: { time: false }, y: { range: (_, low, high) => roomy(low, high) } } : { x: { time: false, range: reach([along]) }, y: { range: reach(up) } },
    cursor: { sync: { key: "plots" }, drag: { x: isInOrder, y: false }, points: { size: 8, stroke: paper } },
    axes: [
      { ...axis, size: 34, label, labelSize: 14, labelFont: axis.font, values: (_, splits) => marks(splits, 0) },
      { ...axis, size: 54, values: (_, splits) => marks(splits, base) },
    ],
    series: [{}, ...columns.map((column, k) => ({
      stroke: css(`--tone-${(index + k) % 8}`),
      width: 2,
      ...(k > 0 ? { dash: DASHES[k % DASHES.length] ?? [] } : {}),
      label: column.name,
      points: { show: column.values.length < 3 },
      ...(isInOrder ? {} : { paths: wandering }),
    }))],
  };
  const plot = new uPlot(options, [along, ...up.map((values) => values.map((v) => (v === null || base === 0 ? v : v - base)))] as uPlot.AlignedData, at);
  plot.over.addEventListener("click", () => {
    const { left } = plot.cursor;
    if (left === undefined || left < 0) return;
    const wanted = plot.posToVal(left, "x");
    let best = 0;
    along.forEach((x, k) => {
      if (x !== null && Math.abs(x - wanted) < Math.abs((along[best] ?? Infinity) - wanted)) best = k;
    });
    const t = times[best];
    if (t !== undefined) seek(against?.name === "t" ? wanted : t);
  });
  return plot;
}
