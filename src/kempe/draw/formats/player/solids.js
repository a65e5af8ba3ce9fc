// Solids: the faces that look at the reader, shaded, and the edges that show. The twin of facets.py.

const SUN = [-0.4, 0.62, 0.675]; // towards the light, as right, up, near
const DIM = 0.1;
const SIDEWAYS = 1e-6;
const SHADES = 8;

/** How bright a face is that looks out (right, up, near): 0 to SHADES - 1. */
function shade(out) {
  const light = DIM + (1 - DIM) * Math.max(0, dot(out, SUN));
  return Math.min(SHADES - 1, Math.floor(light * SHADES));
}

/** The edges to draw, by each of their faces that is seen: sharp ones, and the silhouette. */
function drawnEdges(shape, isFront) {
  const drawn = new Map();
  for (const [a, b, f, g, sharp] of shape.edges) {
    const front = [f, g].filter((k) => k >= 0 && isFront[k]);
    if (!front.length || !(sharp || front.length === 1)) continue;
    for (const k of front) drawn.set(k, [...(drawn.get(k) || []), [a, b]]);
  }
  return drawn;
}

/** The paths of one solid: each face with its own nearness, and its edges upon it. */
function solidItems(camera, shape, pose, colour) {
  const seen = shape.points.map((p) => camera.project(carry(pose, p)));
  const out = shape.normals.map((n) => camera.seen(turn(pose, n)));
  const isFront = out.map((n) => n[2] > SIDEWAYS);
  const drawn = drawnEdges(shape, isFront);
  const items = [];
  shape.faces.forEach((face, f) => {
    if (!isFront[f]) return;
    const corners = face.map((k) => seen[k]);
    const near = mean(corners, 2);
    items.push({ layer: "bodies", kind: `facet ${colour} s${shade(out[f])}`, d: polyline(corners, true), near });
    if (!drawn.has(f)) return;
    const d = drawn.get(f).map(([a, b]) => polyline([seen[a], seen[b]])).join("");
    items.push({ layer: "bodies", kind: `crease ${colour}`, d, near });
  });
  return items;
}

/** The sharp edges of a solid as path data: enough for a faint copy. */
function sharpLines(camera, shape, pose) {
  const place = (k) => camera.project(carry(pose, shape.points[k]));
  return shape.edges.filter((edge) => edge[4]).map(([a, b]) => polyline([place(a), place(b)])).join("");
}

/** The corners of the convex hull of points on the screen: the monotone chain. */
function hullOf(points) {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const side = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const chain = (way) => {
    const kept = [];
    for (const p of way) {
      while (kept.length > 1 && side(kept[kept.length - 2], kept[kept.length - 1], p) <= 1e-9) kept.pop();
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...chain(sorted), ...chain([...sorted].reverse())];
}

/** The outline of a solid's shadow on the floor. */
function shadowOf(camera, shape, pose) {
  const flat = shape.points.map((p) => {
    const [x, y] = carry(pose, p);
    return camera.project([x, y, camera.floor]);
  });
  return polyline(hullOf(flat), true);
}
