// The cube that says from where space is seen: a click on a side looks from there.

import { drawn, view } from "../app/clock";
import type { Look } from "../viewer/view";
import { words } from "../words";

const FACES: [Look, number[], number[], number[]][] = [
  ["front", [0, -1, 0], [1, 0, 0], [0, 0, 1]],
  ["back", [0, 1, 0], [-1, 0, 0], [0, 0, 1]],
  ["right", [1, 0, 0], [0, 1, 0], [0, 0, 1]],
  ["left", [-1, 0, 0], [0, -1, 0], [0, 0, 1]],
  ["top", [0, 0, 1], [1, 0, 0], [0, 1, 0]],
  ["bottom", [0, 0, -1], [1, 0, 0], [0, -1, 0]],
];
const HALF = 21; // px
const SEEN = 0.06; // of a face's normal towards the reader
const WORD = 38; // px that a long word gets

/** Beside the buttons and commands that do the same; not for those who listen. */
export function ViewCube() {
  void drawn.value;
  const now = view.value;
  const [right, up, toward] = now?.sides?.() ?? [];
  if (!now?.look || !right || !up || !toward) return null;
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, k) => sum + x * (b[k] ?? 0), 0);
  const flat = (p: readonly number[]) => [HALF * dot(p, right), -HALF * dot(p, up)] as const;
  const seen = FACES.filter(([, normal]) => dot(normal, toward) > SEEN);
  const axes: [string, number[]][] = [["x", [1, 0, 0]], ["y", [0, 1, 0]], ["z", [0, 0, 1]]];
  return (
    <svg class="view-cube" viewBox="-62 -62 124 124" aria-hidden="true">
      {axes.map(([name, axis]) => {
        const [x, y] = flat(axis.map((c) => 2 * c));
        const [lx, ly] = flat(axis.map((c) => 2.4 * c));
        return (
          <g key={name} class={`axis-${name}`}>
            <path d={`M0 0L${x.toFixed(1)} ${y.toFixed(1)}`} />
            <text x={lx} y={ly + 4} text-anchor="middle">{name}</text>
          </g>
        );
      })}
      {seen.map(([name, normal, along, high]) => {
        const corner = (a: number, b: number) => flat(normal.map((n, k) => n + a * (along[k] ?? 0) + b * (high[k] ?? 0))).map((v) => v.toFixed(1)).join(" ");
        const [ax, ay] = flat(along).map((v) => v / HALF);
        const [hx, hy] = flat(high).map((v) => v / HALF);
        const [mx, my] = flat(normal);
        const word = words.looks[name];
        return (
          <g key={name} class="face" onClick={() => now.look?.(name)}>
            <path d={`M${corner(-1, -1)}L${corner(1, -1)}L${corner(1, 1)}L${corner(-1, 1)}Z`} />
            <text
              transform={`matrix(${ax} ${ay} ${-(hx ?? 0)} ${-(hy ?? 0)} ${mx} ${my})`}
              y="4"
              text-anchor="middle"
              {...(word.length > 5 ? { textLength: WORD, lengthAdjust: "spacingAndGlyphs" as const } : {})}
            >
              {word}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
