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

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function Plot({ row, index, remove }: { row: s.PlotRow; index: number; remove: () => void }) {
  const host = useRef<HTMLDivElement>(null);
  const made = useRef<uPlot | null>(null);
  const { column, against } = row;

  useEffect(() => {
    const at = host.current;
    if (!at || !column || !against) return;
    made.current = drawn(at, column, against, index);
    const watcher = new ResizeObserver(() => made.current?.setSize({ width: at.clientWidth, height: HEIGHT }));
    watcher.observe(at);
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const again = () => {
      made.current?.destroy();
      made.current = drawn(at, column, against, index);
    };
    dark.addEventListener("change", again);
    return () => {
      dark.removeEventListener("change", again);
      watcher.disconnect();
      made.current?.destroy();
    };
  }, [column, against, index]);

  const time = s.time.value;
  useEffect(() => {
    const plot = made.current;
    if (!plot || s.against.value !== "t") return;
    plot.setCursor({ left: plot.valToPos(time, "x"), top: -10 }, false);
  }, [time, column]);

  const value = column && against && s.against.value === "t" ? valueAt(column, against, time) : null;
  return (
    <figure class="plot">
      <figcaption>
        <span class="plot-name">{row.name}</span>
        <output class="plot-value">{value === null ? "" : Number(value.toPrecision(4))} {column?.unit}</output>
        <Button label={words.forces.remove(row.name)} icon="close" bare kind="quiet" act={remove} />
      </figcaption>
      {row.problem ? <p class="bad">{row.problem}</p> : <div ref={host} class="plot-host" role="img" aria-label={column ? said(column) : row.name} />}
    </figure>
  );
}

function said(column: Column): string {
  const numbers = column.values.filter((one): one is number => one !== null);
  return `${column.name}: ${Math.min(...numbers).toPrecision(4)} … ${Math.max(...numbers).toPrecision(4)} ${column.unit}`;
}

function valueAt(column: Column, against: Column, time: number): number | null {
  let k = against.values.findIndex((t) => t !== null && t >= time);
  if (k < 0) k = against.values.length - 1;
  if (k <= 0) return column.values[0] ?? null;
  const [t0, t1, v0, v1] = [against.values[k - 1], against.values[k], column.values[k - 1], column.values[k]];
  if (t0 == null || t1 == null || v0 == null || v1 == null) return null;
  return t1 > t0 ? v0 + ((v1 - v0) * (time - t0)) / (t1 - t0) : v1;
}

function drawn(at: HTMLElement, column: Column, against: Column, index: number): uPlot {
  const [ink, grid, paper] = [css("--muted"), css("--axis"), css("--panel")];
  const tone = css(`--tone-${index % 8}`);
  const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: "11px Helvetica, Arial, sans-serif" };
  const options: uPlot.Options = {
    width: at.clientWidth || 320,
    height: HEIGHT,
    legend: { show: false },
    scales: { x: { time: false } },
    cursor: { sync: { key: "plots" }, drag: { x: true, y: false }, points: { size: 8, stroke: paper } },
    axes: [
      { ...axis, size: 34, label: `${against.name} (${against.unit})`, labelSize: 14, labelFont: axis.font },
      { ...axis, size: 54 },
    ],
    series: [{}, { stroke: tone, width: 2, label: column.name, points: { show: column.values.length < 3 } }],
  };
  const plot = new uPlot(options, [against.values as number[], column.values] as uPlot.AlignedData, at);
  plot.over.addEventListener("click", () => {
    const { left } = plot.cursor;
    if (left !== undefined && left >= 0 && s.against.value === "t") seek(plot.posToVal(left, "x"));
  });
  return plot;
}
