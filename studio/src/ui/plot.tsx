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

export function Plot({ row, index, remove }: { row: s.PlotRow; index: number; remove: () => void }) {
  const host = useRef<HTMLDivElement>(null);
  const made = useRef<uPlot | null>(null);
  const { columns, against } = row;

  useEffect(() => {
    const at = host.current;
    if (!at || !columns.length || !against) return;
    made.current = drawn(at, columns, against, index);
    const watcher = new ResizeObserver(() => made.current?.setSize({ width: at.clientWidth, height: HEIGHT }));
    watcher.observe(at);
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const again = () => {
      made.current?.destroy();
      made.current = drawn(at, columns, against, index);
    };
    dark.addEventListener("change", again);
    return () => {
      dark.removeEventListener("change", again);
      watcher.disconnect();
      made.current?.destroy();
    };
  }, [columns, against, index]);

  const time = s.time.value;
  useEffect(() => {
    const plot = made.current;
    if (!plot || s.against.value !== "t") return;
    plot.setCursor({ left: plot.valToPos(time, "x"), top: -10 }, false);
  }, [time, columns]);

  const values = against && s.against.value === "t" ? columns.map((column) => valueAt(column, against, time)) : [];
  return (
    <figure class="plot">
      <figcaption>
        <span class="plot-name">{row.name}</span>
        <output class="plot-value">{values.map((value) => (value === null ? "" : Number(value.toPrecision(4)))).join(", ")} {columns[0]?.unit}</output>
        <Button label={words.forces.remove(row.name)} icon="close" bare kind="quiet" act={remove} />
      </figcaption>
      {row.problem ? <p class="bad">{row.problem}</p> : <div ref={host} class="plot-host" role="img" aria-label={columns.length ? columns.map(said).join("; ") : row.name} />}
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

function drawn(at: HTMLElement, columns: Column[], against: Column, index: number): uPlot {
  const [ink, grid, paper] = [css("--muted"), css("--axis"), css("--panel")];
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
    series: [{}, ...columns.map((column, k) => ({
      stroke: css(`--tone-${(index + k) % 8}`),
      width: 2,
      ...(k > 0 ? { dash: DASHES[k % DASHES.length] ?? [] } : {}),
      label: column.name,
      points: { show: column.values.length < 3 },
    }))],
  };
  const plot = new uPlot(options, [against.values as number[], ...columns.map((column) => column.values)] as uPlot.AlignedData, at);
  plot.over.addEventListener("click", () => {
    const { left } = plot.cursor;
    if (left !== undefined && left >= 0 && s.against.value === "t") seek(plot.posToVal(left, "x"));
  });
  return plot;
}
