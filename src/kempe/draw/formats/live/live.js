// A mechanism that somebody else moves: its scene, sliders for what can be set, points to drag.
// `channel` carries plain objects both ways: {send(message), listen(callback)}.

const REACH = 16; // pixels from a point within which it is taken hold of

/** Solids in space where the page brings them and the browser draws them; else lines. */
function stageOf(motion) {
  const hasSolids = !motion.scene.plane && typeof KempeSpace !== "undefined" && KempeSpace.isAble();
  return hasSolids ? new KempeSpace.SolidStage(motion) : new Stage(motion);
}

/** Show a live mechanism in an element. */
function mountLive(root, channel) {
  let stage = null;
  let scene = null;
  let points = [];
  let held = null;
  let isWaiting = false;
  let next = null;
  const picture = element("div", { class: "live-picture" });
  const sliders = element("form", { class: "live-sliders", "aria-label": "Values" });
  const status = element("p", { class: "live-status", role: "status" });
  const inputs = new Map();
  root.classList.add("kempe", "live");
  root.replaceChildren(picture, sliders, status);

  /** One message at a time: of those that come while one is answered, the newest goes. */
  function ask(message) {
    if (isWaiting) {
      next = message;
      return;
    }
    isWaiting = true;
    channel.send(message);
  }

  function begin(told) {
    scene = told.scene;
    points = told.points;
    stage = stageOf(new Motion(scene)); // with room for all samples; from here on there is one
    scene.times.length = 1;
    scene.series = [];
    scene.loads = [];
    scene.reactions = [];
    picture.replaceChildren(stage.element);
    if (!stage.hasHands) gestures(stage, { wheel: true, changed: draw });
    stage.element.addEventListener("pointerdown", grab, { capture: true });
    sliders.replaceChildren(...told.sliders.map(slider));
    document.title = scene.title;
  }

  function slider(one) {
    const turns = one.unit === "rad";
    const scale = turns ? 180 / Math.PI : one.unit === "m" ? scene.unit_scale : 1;
    const unit = turns ? "\u00b0" : one.unit === "m" ? scene.unit : one.unit;
    const input = element("input", { type: "range", min: one.low * scale, max: one.high * scale, step: "any" });
    const words = element("output");
    let at = one.value; // where it stands; an angle may have gone round many times
    const rounds = (value) => (turns ? 2 * Math.PI * Math.round(value / (2 * Math.PI)) : 0);
    const show = (value) => {
      at = value;
      const middle = 0.5 * (one.low + one.high);
      if (document.activeElement !== input || !input.matches(":active")) input.value = (value - rounds(value - middle)) * scale;
      words.textContent = `${(value * scale).toPrecision(4)} ${unit}`;
    };
    input.addEventListener("input", () => {
      const wanted = Number(input.value) / scale;
      ask({ [one.kind]: { [one.name]: wanted + rounds(at - wanted) } });
    });
    show(one.value);
    inputs.set(one.name, show);
    return element("label", {}, element("span", {}, one.name), input, words);
  }

  /** Put every body where a row of numbers says. */
  function stand(poses) {
    const width = scene.plane ? 2 : 3;
    const turned = scene.plane ? 1 : 4;
    if (stage.hold) {
      stage.hold(scene.bodies.map((_, k) => poses.slice(k * (width + turned), (k + 1) * (width + turned))));
      return;
    }
    scene.bodies.forEach((body, k) => {
      const at = k * (width + turned);
      for (let i = 0; i < width; i += 1) body.position[i] = poses[at + i];
      for (let i = 0; i < turned; i += 1) body.rotation[i] = poses[at + width + i];
    });
    draw();
  }

  function draw() {
    if (stage) stage.draw(scene.times[0]);
  }

  function place(point) {
    const k = scene.bodies.findIndex((body) => body.name === point.body);
    if (k < 0) return null;
    return carry(stage.motion.pose(k, { index: 0, share: 0 }), point.at);
  }

  /** Where on the screen, as the drawing counts it. */
  function spot(event) {
    const box = stage.svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  function grab(event) {
    if (!scene.plane || event.button > 0 || !stage.camera) return;
    const [x, y] = spot(event);
    let best = REACH;
    for (const point of points) {
      const p = point.is_draggable ? place(point) : null;
      if (!p) continue;
      const [u, v] = stage.camera.project(p);
      const away = Math.hypot(u - x, v - y);
      if (away < best) [best, held] = [away, point];
    }
    if (!held) return;
    event.stopPropagation();
    event.preventDefault();
    stage.element.setPointerCapture(event.pointerId);
    const move = (e) => ask({ drag: [held.name, world(spot(e))] });
    const drop = () => {
      stage.element.removeEventListener("pointermove", move);
      held = null;
    };
    stage.element.addEventListener("pointermove", move);
    stage.element.addEventListener("pointerup", drop, { once: true });
    stage.element.addEventListener("pointercancel", drop, { once: true });
  }

  /** The point of the plane under a spot of the screen. */
  function world([x, y]) {
    const [ox, oy] = stage.camera.project([0, 0, 0]);
    const [ax, ay] = stage.camera.project([1, 0, 0]);
    const [bx, by] = stage.camera.project([0, 1, 0]);
    const [a, b, c, d] = [ax - ox, bx - ox, ay - oy, by - oy];
    const det = a * d - b * c;
    return [(d * (x - ox) - b * (y - oy)) / det, (a * (y - oy) - c * (x - ox)) / det];
  }

  channel.listen((told) => {
    if (told.scene) begin(told);
    if (told.poses) stand(told.poses);
    for (const [name, value] of Object.entries(told.values ?? {})) inputs.get(name)?.(value);
    if (told.text !== undefined) status.textContent = told.text;
    if (told.answer) {
      isWaiting = false;
      const message = next;
      next = null;
      if (message) ask(message);
    }
  });
  new ResizeObserver(draw).observe(picture);
}

/** The page of a live mechanism: its channel is a WebSocket to the program that moves it. */
function mountLivePage() {
  const root = document.getElementById("kempe-live");
  const socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/ws`);
  mountLive(root, {
    send: (message) => socket.send(JSON.stringify(message)),
    listen: (callback) => {
      socket.addEventListener("message", (event) => callback(JSON.parse(event.data)));
      socket.addEventListener("close", () => callback({ text: "The program that moved this has ended." }));
    },
  });
}
