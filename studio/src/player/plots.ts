// Small plots of named quantities over time, with a cursor that keeps step with the picture.

import type { Series } from "../viewer/scene";
import { drawn, element, renew, showPaths, showTexts } from "./element";
import type { Motion } from "./motion";
import { multiples, niceStep, shown } from "./paper";
import { circle, num, polyline } from "./pen";
import { tone } from "./picture";
import type { Place } from "./types";

export const PLOT_INSET = { right: 12, top: 8, bottom: 8 };
export const DIGIT = 6; // px of a digit beside an axis
export const NARROWEST = 46; // px beside a plot, so that most plots begin in one line
export const TIME_ROOM = 16;
export const ROUND_OFF = 1e-9; // of the largest value: what is smaller is nothing

/** A level of an axis with as many digits as tell it from the next one. */
export function levelWords(level: number, step: number): string {
  const digits = Math.ceil(Math.log10(Math.max(Math.abs(level), step) / step)) + 1;
  return shown(level, Math.min(12, Math.max(5, digits)));
}

export class Plot {
  readonly element: HTMLElement;
  readonly svg: SVGSVGElement;
  x: ((time: number) => number) | null = null;
  left = 0;
  width = 0;
  private y: (value: number) => number = () => 0;
  private height = 0;
  private floor = 0;
  private readonly isLast: boolean;
  private readonly motion: Motion;
  private readonly series: Series;
  private readonly colour: string;
  private readonly largest: number;
  private readonly value: HTMLElement;
  private readonly paths: SVGGElement;
  private readonly ticks: SVGGElement;
  private readonly cursor: SVGPathElement;
  private readonly bead: SVGPathElement;

  constructor(motion: Motion, series: Series, index: number) {
    this.isLast = index === motion.scene.series.length - 1;
    this.motion = motion;
    this.series = series;
    this.colour = tone(index);
    this.largest = Math.max(...this.range().map(Math.abs));
    this.value = element("output", { class: "plot-value" });
    this.svg = drawn("svg", { class: "plot-picture", role: "img", "aria-label": this.words() });
    this.paths = drawn("g");
    this.ticks = drawn("g");
    this.cursor = drawn("path", { class: "cursor" });
    this.bead = drawn("path", { class: `dot ${this.colour}` });
    this.svg.append(this.paths, this.ticks, this.cursor, this.bead);
    const unit = series.unit ? element("span", { class: "plot-unit" }, ` ${series.unit}`) : "";
    const heading = element("figcaption", {}, element("span", { class: "plot-name" }, series.name), this.value, unit);
    this.element = element("figure", { class: "plot" }, heading, this.svg);
  }

  /** The plot in words, for those who cannot see it. */
  words(): string {
    const { name, unit, values } = this.series;
    const [low, high] = this.range();
    return `${name} over time, ${values.length} samples from ${shown(low, 4)} to ${shown(high, 4)} ${unit}`;
  }

  range(): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const value of this.series.values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return [low, high];
  }

  /** Lay the curve out for the width there is. */
  lay(): void {
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (!width || (width === this.width && height === this.height)) return;
    [this.width, this.height] = [width, height];
    const { right, top } = PLOT_INSET;
    const floor = height - PLOT_INSET.bottom - (this.isLast ? TIME_ROOM : 0);
    let [low, high] = this.range();
    const slack = Math.max((high - low) * 0.06, Math.abs(high) * 1e-6, 1e-12);
    if (high - low < 2 * slack) [low, high] = [low - slack * 10, high + slack * 10];
    [low, high] = [low - slack, high + slack];
    const step = niceStep((high - low) / Math.max(3, (floor - top) / 34));
    const levels = multiples(step, low, high).map((level): [number, string] => [level, levelWords(level, step)]);
    const left = Math.max(NARROWEST, 12 + DIGIT * Math.max(...levels.map(([, words]) => words.length)));
    const { start, end, duration } = this.motion;
    this.left = left;
    const x = (time: number) => left + ((time - start) / (duration || 1)) * (width - left - right);
    const y = (value: number) => top + ((high - value) / (high - low)) * (floor - top);
    this.x = x;
    this.y = y;
    this.floor = floor;
    renew(this.svg, "viewBox", `0 0 ${width} ${height}`);
    const points = this.series.values.map((value, k) => [x(this.motion.times[k]), y(value)]);
    const upright = (time: number) => `M${num(x(time))} ${top}V${num(floor)}`;
    showPaths(this.paths, [
      ...levels.map(([v]) => ({ kind: v === 0 ? "axis" : "grid", d: `M${left} ${num(y(v))}H${num(width - right)}` })),
      ...this.motion.scene.marks.map(({ time }) => ({ kind: "moment", d: upright(time) })),
      { kind: `trace ${this.colour}`, d: polyline(points), width: 1.8 },
    ]);
    const clock = (time: number, anchor: string) => ({ kind: "tick", text: `${shown(time, 4)} s`, x: x(time), y: height - 6, anchor });
    showTexts(this.ticks, [
      ...levels.map(([v, words]) => ({ kind: "tick", text: words, x: left - 7, y: y(v) + 3.5, anchor: "end" })),
      ...(this.isLast && duration ? [clock(start, "start"), clock(end, "end")] : []),
    ]);
  }

  /** Move the cursor to a moment. */
  draw(time: number, place: Place): void {
    this.lay();
    if (!this.x) return;
    const value = this.motion.blended(this.series.values, 1, 0, place);
    const x = this.x(time);
    renew(this.cursor, "d", `M${num(x)} ${PLOT_INSET.top}V${num(this.floor)}`);
    renew(this.bead, "d", circle(x, this.y(value), 3.6));
    this.value.textContent = shown(Math.abs(value) < ROUND_OFF * this.largest ? 0 : value, 4);
  }
}

export class Plots {
  readonly motion: Motion;
  readonly plots: Plot[];
  readonly element: HTMLElement;

  constructor(motion: Motion, seek: (time: number) => void) {
    this.motion = motion;
    this.plots = motion.scene.series.map((series, k) => new Plot(motion, series, k));
    this.element = element("aside", { class: "plots", "aria-label": "Plots" }, ...this.plots.map((plot) => plot.element));
    for (const plot of this.plots) this.follow(plot, seek);
  }

  /** Pressing or dragging on a plot goes to that moment. */
  private follow(plot: Plot, seek: (time: number) => void): void {
    const go = (event: PointerEvent) => {
      if (!plot.x) return;
      const left = plot.svg.getBoundingClientRect().left + plot.left;
      const wide = plot.width - plot.left - PLOT_INSET.right;
      const share = Math.min(1, Math.max(0, (event.clientX - left) / wide));
      seek(this.motion.start + share * this.motion.duration);
    };
    plot.svg.addEventListener("pointerdown", (event) => {
      plot.svg.setPointerCapture(event.pointerId);
      go(event);
    });
    plot.svg.addEventListener("pointermove", (event) => {
      if (plot.svg.hasPointerCapture(event.pointerId)) go(event);
    });
  }

  draw(time: number): void {
    if (this.element.hidden) return;
    const place = this.motion.place(time);
    for (const plot of this.plots) plot.draw(time, place);
  }
}
