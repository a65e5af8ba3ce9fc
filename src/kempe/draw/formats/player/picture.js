// What is on a picture of one moment, as flat paths from back to front. The twin of picture.py.
// An item is {layer, kind, d, width, near, part}: part is the name that hovering shows.

const LAYERS = ["grid", "floor", "faint", "ghosts", "under", "bodies", "traces", "top"];
const SORTED_IN_SPACE = ["under", "bodies", "top"];
const EDGE_LAP = 0.4;
const FACE_LAP = 1.4;
const DEPTH_STEPS = 10; // a px: what differs by less counts as equally near
const TONES = 8;
const SUN_X = 0.4; // from the light, right and down
const SUN_Y = 0.62;

function tone(colour) {
  return colour === null ? "cn" : `c${colour % TONES}`;
}

function mean(points, k) {
  return points.reduce((sum, p) => sum + p[k], 0) / points.length;
}

/** Bars and rimmed plates of one body, drawn as one outline by three strokes of a brush. */
function linkItems(scene, camera, d, colour, near, wide = scene.sizes.link) {
  const { halo, edge } = scene.sizes;
  const width = wide * camera.size;
  return [
    { layer: "bodies", kind: "halo", d, width: width + 2 * halo, near },
    { layer: "bodies", kind: `edge ${colour}`, d, width, near },
    { layer: "bodies", kind: `face ${colour}`, d, width: width - 2 * edge, near },
  ];
}

/** The direction across a bar on the screen towards the light: up, or left if upright. */
function litSide(p, q) {
  const d = [q[0] - p[0], q[1] - p[1]];
  const length = Math.max(Math.hypot(d[0], d[1]), 1e-9);
  const across = [d[1] / length, -d[0] / length];
  return -SUN_X * across[0] - SUN_Y * across[1] >= 0 ? across : across.map((x) => -x);
}

/** A round bar in space, cut into pieces that are sorted by depth one by one, and lit. */
function rodItems(scene, camera, seen, colour, wide = scene.sizes.link) {
  const { halo, edge, segment, shine, shine_off: off } = scene.sizes;
  const radius = 0.5 * wide * camera.size;
  const lit = litSide(seen[0], seen[1]).map((x) => x * radius * off);
  const [p, q] = seen;
  const d = q.map((x, k) => x - p[k]);
  const length = Math.hypot(d[0], d[1]);
  const count = Math.max(1, Math.ceil(Math.hypot(length, d[2]) / segment));
  const unit = d.map((x) => x / Math.max(length, 1));
  const brushes = [
    ["halo-fill", radius + halo, 0],
    [`edge-fill ${colour}`, radius, EDGE_LAP],
    [`face-fill ${colour}`, radius - edge, FACE_LAP],
  ];
  const items = [];
  for (let k = 0; k < count; k += 1) {
    const a = p.map((x, i) => x + (d[i] * k) / count);
    const b = p.map((x, i) => x + (d[i] * (k + 1)) / count);
    const first = k === 0;
    const last = k === count - 1;
    for (const [kind, r, lap] of brushes) {
      const start = a.map((x, i) => x - (first ? 0 : lap) * unit[i]);
      const end = b.map((x, i) => x + (last ? 0 : lap) * unit[i]);
      const near = (a[2] + b[2]) / 2;
      items.push({ layer: "bodies", kind, d: capsule(start, end, r, first, last), near });
    }
    const laps = [first ? 0 : -FACE_LAP, last ? 0 : FACE_LAP];
    const [from, to] = [a, b].map((x, n) => [0, 1].map((i) => x[i] + lit[i] + laps[n] * unit[i]));
    const light = capsule(from, to, shine * radius, first, last);
    items.push({ layer: "bodies", kind: `lit ${colour}`, d: light, near: (a[2] + b[2]) / 2 });
  }
  return items;
}

/** A wheel or a gear, with a mark on its radius so that its turning is seen. */
function discItems(camera, shape, pose, colour, near) {
  const centre = camera.project(carry(pose, shape.centre));
  const edge = camera.project(carry(pose, shape.mark));
  const rim = shape.points.length
    ? polyline(shape.points.map((p) => camera.project(carry(pose, p))), true)
    : ring(centre, camera.seen(turn(pose, shape.axis)), shape.radius * camera.scale);
  return [
    { layer: "bodies", kind: `rim ${colour}`, d: rim, near },
    { layer: "bodies", kind: `mark ${colour}`, d: polyline([centre, edge]), near },
  ];
}

/** The links, plates, discs and lines of one body. */
function bodyItems(scene, camera, body, pose) {
  const colour = tone(body.colour);
  const items = [];
  let rims = "";
  for (const shape of body.shapes) {
    const seen = shapeCorners(shape).map((p) => camera.project(carry(pose, p)));
    const near = mean(seen, 2);
    if (shape.form === "solid") {
      items.push(...solidItems(camera, shape, pose, colour));
    } else if (shape.form === "disc") {
      items.push(...discItems(camera, shape, pose, colour, near));
    } else if (shape.form === "line") {
      const own = shape.colour === undefined ? colour : tone(shape.colour);
      items.push({ layer: "bodies", kind: `line ${own}`, d: polyline(seen, shape.closed), near });
    } else if (shape.form === "plate" && !shape.rim) {
      const holes = (shape.holes || []).map((ring) => polyline(ring.map((p) => camera.project(carry(pose, p))), true));
      items.push({ layer: "bodies", kind: `rim ${colour}`, d: polyline(seen, true) + holes.join(""), near });
    } else if (shape.form === "bar" && !scene.plane) {
      items.push(...rodItems(scene, camera, seen, colour));
    } else if (scene.plane) {
      rims += polyline(seen, shape.form === "plate");
    } else {
      items.push(...linkItems(scene, camera, polyline(seen, true), colour, near));
    }
  }
  if (rims) items.push(...linkItems(scene, camera, rims, colour, 0));
  return items.map((item) => ({ ...item, part: body.name }));
}

/** A body's faint copy at another moment. */
function ghostItems(scene, camera, body, pose) {
  const kind = `ghost ${tone(body.colour)}`;
  let strokes = "";
  let rings = "";
  for (const shape of body.shapes) {
    if (shape.form === "solid") {
      rings += sharpLines(camera, shape, pose);
    } else if (shape.form === "disc") {
      const axis = camera.seen(turn(pose, shape.axis));
      rings += ring(camera.project(carry(pose, shape.centre)), axis, shape.radius * camera.scale);
    } else {
      const closed = shape.form === "plate" || shape.closed === true;
      strokes += polyline(shape.points.map((p) => camera.project(carry(pose, p))), closed);
    }
  }
  const items = [];
  const width = scene.sizes.ghost * camera.size;
  if (strokes) items.push({ layer: "ghosts", kind, d: strokes, width, near: 0 });
  if (rings) items.push({ layer: "ghosts", kind, d: rings, width: 1.5, near: 0 });
  return items;
}

/** Dots at a body's points of interest. */
function pointItems(scene, camera, body, pose) {
  return body.points.map(([name, point]) => {
    const [x, y, near] = camera.project(carry(pose, point));
    const d = circle(x, y, scene.sizes.dot * camera.size);
    const part = `${body.name}.${name}`;
    const kind = `dot ${tone(body.colour)}`;
    return { layer: "top", kind, d, near: near + scene.sizes.lift * camera.size, part, point: carry(pose, point) };
  });
}

/** The shadow of every link on the floor of a spatial scene; thin coloured lines cast none. */
function shadowItems(scene, camera, poses) {
  let d = "";
  let solids = "";
  scene.bodies.forEach((body, b) => {
    for (const shape of body.shapes) {
      if (shape.colour !== undefined) continue;
      if (shape.form === "solid") {
        solids += shadowOf(camera, shape, poses[b]);
        continue;
      }
      const flat = shapeCorners(shape).map((p) => {
        const [x, y] = carry(poses[b], p);
        return camera.project([x, y, camera.floor]);
      });
      d += polyline(flat, shape.form === "plate" || shape.form === "disc");
    }
  });
  const width = 0.8 * scene.sizes.link * camera.size;
  const items = [{ layer: "floor", kind: "shadow", d, width, near: 0 }];
  if (solids) items.push({ layer: "floor", kind: "shadow-fill", d: solids, near: 0 });
  return items;
}

/** Layer by layer; in space what is solid goes from far to near. Equals keep their order. */
function backToFront(items, inSpace) {
  const rank = (item) =>
    LAYERS.indexOf(inSpace && SORTED_IN_SPACE.includes(item.layer) ? "bodies" : item.layer);
  const near = (item) => (inSpace && SORTED_IN_SPACE.includes(item.layer) ? Math.round(item.near * DEPTH_STEPS) : 0);
  return [...items].sort((a, b) => rank(a) - rank(b) || near(a) - near(b));
}
