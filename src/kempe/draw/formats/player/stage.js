// The drawing itself: a scene seen through a camera, moment by moment. A pointer orbits it in space and
// pans it in the plane; pinch and wheel zoom.

const GHOSTS = 10;
const ZOOM_LIMITS = [0.2, 40];
const DEGREES_PER_PX = 0.45;
const ZOOM_PER_WHEEL_PX = 0.0015;

class Stage {
  constructor(motion) {
    this.motion = motion;
    this.scene = motion.scene;
    this.shows = { trace: true, ghosts: false, forces: true, reactions: true, names: this.scene.names === true };
    this.chosen = null; // the body that is drawn by itself, with all that acts on it
    this.reach = everything(motion);
    this.home();
    this.svg = drawn("svg", { class: "stage-picture", role: "img", "aria-label": this.words() });
    this.layers = {};
    for (const name of [...LAYERS, "ticks", "names", "scale"]) {
      this.layers[name] = drawn("g", { class: `layer-${name}` });
      this.svg.append(this.layers[name]);
    }
    this.svg.insertBefore(this.layers.ticks, this.layers.floor);
    this.tip = element("div", { class: "tip", hidden: "" });
    this.element = element("div", { class: "stage" }, this.svg, this.tip);
    this.points = new Map();
  }

  /** The scene in words, for those who cannot see it. */
  words() {
    return `${this.scene.title}. Bodies: ${this.scene.bodies.map((body) => body.name).join(", ")}.`;
  }

  /** Back to the view that shows everything. */
  home() {
    this.view = { ...FRONT_RIGHT };
    this.zoom = 1;
    this.pan = [0, 0];
    this.pointed = null;
    this.camera = null;
  }

  /** Take the size of the element; true if there is room to draw. */
  measure() {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth !== this.width || clientHeight !== this.height) {
      this.width = clientWidth;
      this.height = clientHeight;
      this.camera = null;
      renew(this.svg, "viewBox", `0 0 ${this.width} ${this.height}`);
    }
    return this.width > 0 && this.height > 0;
  }

  /** Turn a spatial scene by degrees. */
  orbit(azimuth, elevation) {
    this.view.azimuth += azimuth;
    this.view.elevation = Math.min(90, Math.max(-90, this.view.elevation + elevation));
    this.camera = null;
  }

  look(azimuth, elevation) {
    this.view = { azimuth, elevation };
    this.pointed = null;
    this.camera = null;
  }

  shift(dx, dy) {
    this.pan = [this.pan[0] + dx, this.pan[1] + dy];
    this.camera = null;
  }

  /** Nearer or further by a factor, keeping what is at a point of the screen there. */
  magnify(factor, about = [this.width / 2, this.height / 2]) {
    const zoom = Math.min(ZOOM_LIMITS[1], Math.max(ZOOM_LIMITS[0], this.zoom * factor));
    const share = zoom / this.zoom;
    const middle = [this.width / 2, this.height / 2];
    this.pan = this.pan.map((x, k) => (about[k] - middle[k]) * (1 - share) + x * share);
    this.zoom = zoom;
    this.camera = null;
  }

  /** The camera as it stands, and everything that only changes when it does. */
  aim() {
    if (this.camera) return;
    const fitted = (view, most) => fittedCamera(this.scene, this.reach, this.width, this.height, view, most);
    const home = fitted(FRONT_RIGHT, Infinity);
    const here = this.scene.plane ? home : fitted(this.view, home.scale);
    const middle = [this.width / 2, this.height / 2];
    const origin = here.origin.map((x, k) => middle[k] + (x - middle[k]) * this.zoom + this.pan[k]);
    this.camera = new Camera({ ...here, scale: here.scale * this.zoom, size: home.size, origin });
    const paper = this.scene.plane
      ? squaredPaper(this.scene, this.camera, this.width, this.height)
      : squaredFloor(this.scene, this.camera, this.height);
    showPaths(this.layers.grid, paper.items);
    showTexts(this.layers.ticks, paper.texts);
    this.ground = groundItems(this.scene, this.camera);
    this.curves = this.scene.traces.map((trace) => this.curve(trace));
    this.layGhosts();
  }

  /** Every sample of a traced point, as words of path data. */
  curve(trace) {
    return this.scene.times.map((_, index) => {
      const pose = this.motion.pose(trace.body, { index, share: 0 });
      return at(this.camera.project(carry(pose, trace.point)));
    });
  }

  /** Faint copies at moments spread over the motion. */
  layGhosts() {
    const n = this.scene.times.length;
    const items = [];
    const count = this.shows.ghosts ? Math.min(GHOSTS, n) : 0;
    for (let k = 0; k < count; k += 1) {
      const index = Math.round((k * (n - 1)) / Math.max(1, this.motion.closes ? count : count - 1));
      this.scene.bodies.forEach((body, b) => {
        const pose = this.motion.pose(b, { index, share: 0 });
        items.push(...ghostItems(this.scene, this.camera, body, pose));
      });
    }
    showPaths(this.layers.ghosts, items);
  }

  show(what, on) {
    this.shows[what] = on;
    this.camera = null;
  }

  /** Everything at one moment. */
  draw(time) {
    if (!this.measure()) return;
    this.aim();
    const { scene, camera } = this;
    const place = this.motion.place(time);
    const poses = this.motion.poses(place);
    const items = [...this.ground];
    if (!scene.plane) items.push(...shadowItems(scene, camera, poses));
    const isApart = (...bodies) => this.chosen !== null && !bodies.includes(this.chosen);
    const placed = (made, is) => items.push(...(is ? made.map((item) => ({ ...item, kind: `${item.kind} apart` })) : made));
    scene.bodies.forEach((body, b) => {
      placed([...bodyItems(scene, camera, body, poses[b]), ...pointItems(scene, camera, body, poses[b])], isApart(b));
    });
    for (const joint of scene.joints) placed(jointItems(scene, camera, joint, poses), isApart(joint.i.body, joint.j.body));
    if (this.shows.trace) items.push(...this.traceItems(place, poses));
    const wanted = arrowsWanted(scene, this.shows, this.chosen);
    const longest = LONGEST_ARROW * Math.hypot(...camera.high.map((x, k) => x - camera.low[k]));
    const scales = arrowScales(wanted, this.motion, place, longest, this.chosen);
    const arrows = loadPicture(scene, camera, this.motion, wanted, scales, place);
    items.push(...arrows.items);
    this.spread(backToFront(items, !scene.plane));
    const named = this.shows.names ? scene.bodies.flatMap((body, b) => (isApart(b) ? [] : bodyNames(scene, camera, body, poses[b]))) : [];
    showTexts(this.layers.names, keptApart(scene, [...named, ...arrows.texts], this.width, this.height));
    this.layScale(forceScale(scales, longest));
    this.renewTip();
  }

  /** One body by itself with what acts on it, or null for all of them. */
  choose(body) {
    this.chosen = body;
  }

  /** A bar in the corner as long as the arrow of a round force. */
  layScale(found) {
    if (!found) {
      this.layers.scale.replaceChildren();
      return;
    }
    const [right, y] = [this.width - 18, 22];
    const left = right - found.metres * this.camera.scale;
    const d = `M${num(left)} ${y - 4}v8M${num(left)} ${y}H${num(right)}M${num(right)} ${y - 4}v8`;
    const bar = this.layers.scale.querySelector("path") ?? this.layers.scale.appendChild(drawn("path", { class: "load" }));
    const words = this.layers.scale.querySelector("text") ?? this.layers.scale.appendChild(drawn("text", { class: "load-value" }));
    renew(bar, "d", d);
    renew(words, "x", num(left - 8));
    renew(words, "y", y + 4);
    renew(words, "text-anchor", "end");
    if (words.textContent !== found.words) words.textContent = found.words;
  }

  /** Each traced curve: all of it faintly, what is drawn so far, and the point now. */
  traceItems(place, poses) {
    const items = [];
    this.scene.traces.forEach((trace, k) => {
      const body = this.scene.bodies[trace.body];
      const colour = tone(body.colour);
      const words = this.curves[k];
      const point = carry(poses[trace.body], trace.point);
      const [x, y, near] = this.camera.project(point);
      const part = `${body.name}.${trace.name}`;
      const soFar = [...words.slice(0, place.index + 1), at([x, y])];
      const d = circle(x, y, this.scene.sizes.pen * this.camera.size);
      items.push(
        { layer: "faint", kind: `trace-all ${colour}`, d: `M${words.join("L")}`, part },
        { layer: "traces", kind: `trace ${colour}`, d: `M${soFar.join("L")}`, part },
        { layer: "top", kind: `dot ${colour}`, d, near: near + this.scene.sizes.lift * this.camera.size, part, point },
      );
    });
    return items;
  }

  /** Items into their layers. In space all that is solid shares one, sorted by depth. */
  spread(items) {
    const heaps = { floor: [], faint: [], under: [], bodies: [], traces: [], top: [] };
    this.points.clear();
    for (const item of items) {
      const together = !this.scene.plane && SORTED_IN_SPACE.includes(item.layer);
      heaps[together ? "bodies" : item.layer].push(item);
      if (item.point) this.points.set(item.part, item.point);
    }
    for (const [name, heap] of Object.entries(heaps)) showPaths(this.layers[name], heap);
  }

  /** Say what is under the pointer; `event` is null when it has left. */
  point(event) {
    const part = event && event.target.getAttribute("data-part");
    this.pointed = part || null;
    if (part) {
      const frame = this.element.getBoundingClientRect();
      const x = event.clientX - frame.left;
      const y = event.clientY - frame.top;
      this.tip.style.transform = `translate(${num(Math.min(x + 14, this.width - 150))}px, ${num(Math.max(y - 34, 4))}px)`;
    }
    this.renewTip();
  }

  renewTip() {
    this.tip.hidden = !this.pointed;
    if (!this.pointed) return;
    const point = this.points.get(this.pointed);
    const unit = this.scene.unit_scale;
    const digits = (x) => shown(x * unit, 4);
    const place = point ? `  (${point.slice(0, this.scene.plane ? 2 : 3).map(digits).join(", ")}) ${this.scene.unit}` : "";
    const words = this.pointed + place;
    if (this.tip.textContent !== words) this.tip.textContent = words;
  }

  /** The picture as it stands, as a file and its name. */
  async saved(css) {
    return [new Blob([this.snapshot(css)], { type: "image/svg+xml" }), "mechanism.svg"];
  }

  /** The picture as it stands, as a stand-alone SVG. */
  snapshot(css) {
    const copy = this.svg.cloneNode(true);
    for (const made of copy.querySelectorAll("[data-part]")) made.removeAttribute("data-part");
    renew(copy, "class", "kempe");
    renew(copy, "width", this.width);
    renew(copy, "height", this.height);
    const paper = drawn("rect", { class: "paper", width: this.width, height: this.height });
    copy.prepend(drawn("title", {}, this.scene.title), drawn("style", {}, css), paper);
    return new XMLSerializer().serializeToString(copy);
  }
}

/** Let people move a stage; `changed` is called after each move. */
function gestures(stage, { wheel, changed }) {
  const held = new Map();
  const { element: host } = stage;
  const middle = () => {
    const points = [...held.values()];
    return [mean(points, 0), mean(points, 1)];
  };
  const span = () => {
    const [a, b] = [...held.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };

  host.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    held.set(event.pointerId, [event.clientX, event.clientY]);
    if (event.pointerType !== "mouse") stage.point(event);
  });

  host.addEventListener("pointermove", (event) => {
    if (!held.has(event.pointerId)) {
      stage.point(event);
      return;
    }
    if (!host.hasPointerCapture(event.pointerId)) {
      const [x, y] = held.get(event.pointerId);
      if (held.size < 2 && Math.hypot(event.clientX - x, event.clientY - y) < 3) return;
      host.setPointerCapture(event.pointerId);
      host.classList.add("held");
      stage.point(null);
    }
    const before = middle();
    const wide = held.size === 2 ? span() : 0;
    held.set(event.pointerId, [event.clientX, event.clientY]);
    const after = middle();
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    if (held.size === 1 && !stage.scene.plane && !event.shiftKey) {
      stage.orbit(-DEGREES_PER_PX * dx, DEGREES_PER_PX * dy);
    } else {
      stage.shift(dx, dy);
    }
    if (held.size === 2 && wide > 0) {
      const frame = host.getBoundingClientRect();
      stage.magnify(span() / wide, [after[0] - frame.left, after[1] - frame.top]);
    }
    changed();
  });

  const release = (event) => {
    held.delete(event.pointerId);
    if (!held.size) host.classList.remove("held");
  };
  host.addEventListener("pointerup", release);
  host.addEventListener("pointercancel", release);
  host.addEventListener("pointerleave", () => stage.point(null));
  host.addEventListener("dblclick", () => {
    stage.home();
    changed();
  });
  host.addEventListener("wheel", (event) => {
    if (!wheel && !event.ctrlKey) return;
    event.preventDefault();
    const frame = host.getBoundingClientRect();
    const lines = event.deltaMode === 1 ? 16 : 1;
    stage.magnify(Math.exp(-ZOOM_PER_WHEEL_PX * lines * event.deltaY), [event.clientX - frame.left, event.clientY - frame.top]);
    changed();
  }, { passive: false });
}
