// Loads as arrows that grow and turn with the motion: forces straight, torques round their axis.
// The twin of arrows.py.

const ARROW_HEAD = 10;
const ARROW_WING = 4.2;
const LEAST_ARROW = 1.5;
const SMALLEST_HEAD = 0.75;
const ARC_STEPS = 24; // of three quarters of a turn

const apart = (a, b) => Math.hypot(b[0] - a[0], b[1] - a[1]);

/** An arc about a vector, by the right hand, at half its length. */
function loadArc(at, way) {
  const length = Math.hypot(...way);
  if (!(length > 0)) return [at, at];
  const axis = way.map((x) => x / length);
  const sizes = axis.map(Math.abs);
  const least = sizes.indexOf(Math.min(...sizes));
  const raw = cross([0, 1, 2].map((k) => (k === least ? 1 : 0)), axis);
  const first = raw.map((x) => x / Math.hypot(...raw));
  const second = cross(axis, first);
  return Array.from({ length: ARC_STEPS + 1 }, (_, step) => {
    const angle = (1.5 * Math.PI * step) / ARC_STEPS;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return at.map((x, k) => x + 0.5 * length * (c * first[k] + s * second[k]));
  });
}

/** The points of a line up to where its head begins, and that place. */
function cutForHead(line, head) {
  const tip = line[line.length - 1];
  for (let k = line.length - 2; k >= 0; k -= 1) {
    const reach = apart(tip, line[k]);
    if (reach >= head) {
      const share = (reach - head) / (reach - apart(tip, line[k + 1]) || 1);
      return [...line.slice(0, k + 1), [0, 1].map((i) => line[k][i] + share * (line[k + 1][i] - line[k][i]))];
    }
  }
  return [line[0], line[0]];
}

/** One arrow at a place of the motion: a shaft and a head that never outgrows it. */
function loadArrow(scene, camera, motion, load, place) {
  const numbers = [0, 1, 2, 3, 4, 5].map((k) => motion.blended(load.values, 6, k, place));
  const tail = numbers.slice(0, 3);
  const way = numbers.slice(3);
  const points = load.isTorque ? loadArc(tail, way) : [tail, tail.map((x, k) => x + way[k])];
  const line = points.map((point) => camera.project(point));
  const length = line.slice(1).reduce((sum, point, k) => sum + apart(line[k], point), 0);
  if (length < LEAST_ARROW) return [];
  const most = (load.isTorque ? 0.3 : 0.7) * length;
  const head = Math.min(ARROW_HEAD * Math.max(camera.size, SMALLEST_HEAD), most);
  const shaft = cutForHead(line, head);
  const [tip, foot] = [line[line.length - 1], shaft[shaft.length - 1]];
  const span = apart(foot, tip) || 1;
  const wing = (head * ARROW_WING) / ARROW_HEAD / span;
  const corner = (sign) => [foot[0] - sign * wing * (tip[1] - foot[1]), foot[1] + sign * wing * (tip[0] - foot[0])];
  const near = Math.max(...line.map((point) => point[2])) + scene.sizes.lift * camera.size;
  const part = `${load.name}: ${shown(Math.hypot(...way) * load.newtons, 3)} ${load.isTorque ? "N m" : "N"}`;
  return [
    { layer: "top", kind: "load", d: polyline(shaft), near, part },
    { layer: "top", kind: "load-head", d: polyline([tip, corner(1), corner(-1)], true), near, part },
  ];
}

function loadItems(scene, camera, motion, place) {
  return scene.loads.flatMap((load) => loadArrow(scene, camera, motion, load, place));
}

/** Where the arrows reach at a sample. */
function loadTips(scene, index) {
  return scene.loads.flatMap(({ values, isTorque }) => {
    const [at, way] = [values.slice(6 * index, 6 * index + 3), values.slice(6 * index + 3, 6 * index + 6)];
    if (!isTorque) return [at.map((x, k) => x + way[k])];
    const half = 0.5 * Math.hypot(...way);
    return [0, 1, 2].flatMap((axis) => [-half, half].map((r) => at.map((x, k) => x + (k === axis ? r : 0))));
  });
}
