// Loads as arrows that grow and turn with the motion. The twin of loads.py.

const ARROW_HEAD = 10;
const ARROW_WING = 4.2;
const LEAST_ARROW = 1.5;
const SMALLEST_HEAD = 0.75;

/** One arrow at a place of the motion: a shaft and a head that never outgrows it. */
function loadArrow(scene, camera, motion, load, place) {
  const numbers = [0, 1, 2, 3, 4, 5].map((k) => motion.blended(load.values, 6, k, place));
  const tail = numbers.slice(0, 3);
  const way = numbers.slice(3);
  const a = camera.project(tail);
  const b = camera.project(tail.map((x, k) => x + way[k]));
  const d = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(d[0], d[1]);
  if (length < LEAST_ARROW) return [];
  const head = Math.min(ARROW_HEAD * Math.max(camera.size, SMALLEST_HEAD), 0.7 * length);
  const wing = (head * ARROW_WING) / ARROW_HEAD;
  const along = [d[0] / length, d[1] / length];
  const foot = [b[0] - head * along[0], b[1] - head * along[1]];
  const corner = (sign) => [foot[0] - sign * wing * along[1], foot[1] + sign * wing * along[0]];
  const near = Math.max(a[2], b[2]) + scene.sizes.lift * camera.size;
  const part = `${load.name}: ${shown(Math.hypot(...way) * load.newtons, 3)} N`;
  return [
    { layer: "top", kind: "load", d: polyline([a, foot]), near, part },
    { layer: "top", kind: "load-head", d: polyline([b, corner(1), corner(-1)], true), near, part },
  ];
}

function loadItems(scene, camera, motion, place) {
  return scene.loads.flatMap((load) => loadArrow(scene, camera, motion, load, place));
}

/** Where the arrows reach at a sample. */
function loadTips(scene, index) {
  return scene.loads.map(({ values }) => [0, 1, 2].map((k) => values[6 * index + k] + values[6 * index + k + 3]));
}
