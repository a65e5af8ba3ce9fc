// The player: time, keys, and what is shown. `mount(root, scene)` puts one into an element.

const PAUSE_AT_END = 0.7;
const LONGEST_FRAME = 0.1;
const ORBIT_STEP = 6;
const PAN_STEP = 30;

/** Solids in space where the page brings them and the browser draws them; else lines. */
function stageFor(motion) {
  const hasSolids = !motion.scene.plane && typeof KempeSpace !== "undefined" && KempeSpace.isAble();
  return hasSolids ? new KempeSpace.SolidStage(motion) : new Stage(motion);
}

class Player {
  constructor(root, scene, { page = false, css = "" } = {}) {
    this.root = root;
    this.css = css;
    this.motion = new Motion(scene);
    this.time = this.motion.start;
    this.closes = this.motion.closes;
    this.held = 0;
    this.stage = stageFor(this.motion);
    this.help = new Help(scene);
    this.controls = new Controls(this);
    this.plots = new Plots(this.motion, (time) => this.seek(time));
    this.status = element("p", { class: "status", role: "status" });
    this.shown = { trace: true, ghosts: false, forces: true, reactions: scene.reactions.length <= MOST_VALUED, names: scene.names === true, plots: scene.series.length > 0 };
    this.furnish(page);
    for (const what of Object.keys(this.shown)) this.show(what, this.shown[what]);
    if (!this.stage.hasHands) gestures(this.stage, { wheel: page, changed: () => this.draw() });
    new ResizeObserver(() => this.draw()).observe(this.stage.element);
    this.draw();
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!calm && scene.times.length > 1) this.play();
  }

  furnish(page) {
    const { root } = this;
    const title = element("h1", { class: "title" }, this.motion.scene.title);
    root.classList.add("kempe");
    root.classList.toggle("page", page);
    root.tabIndex = -1;
    this.stage.element.append(title);
    const view = element("div", { class: "view" }, this.stage.element, this.plots.element);
    root.replaceChildren(view, this.controls.element, this.help.element, this.status);
    (page ? document : root).addEventListener("keydown", (event) => this.key(event));
    if (!page) root.addEventListener("pointerdown", () => root.focus({ preventScroll: true }));
  }

  /** Draw the moment; called after anything changed. */
  draw() {
    this.stage.draw(this.time);
    this.plots.draw(this.time);
    this.controls.draw(this.time);
  }

  say(words) {
    this.status.textContent = words;
  }

  get isPlaying() {
    return this.frame !== undefined;
  }

  play() {
    if (this.isPlaying || this.motion.times.length < 2) return;
    if (this.time >= this.motion.end) this.time = this.motion.start;
    let before = performance.now();
    const go = (now) => {
      const passed = Math.min(LONGEST_FRAME, Math.max(0, (now - before) / 1000));
      before = now;
      this.advance(passed);
      this.draw();
      this.frame = requestAnimationFrame(go);
    };
    this.frame = requestAnimationFrame(go);
    this.controls.showPlaying(true);
  }

  pause() {
    cancelAnimationFrame(this.frame);
    this.frame = undefined;
    this.controls.showPlaying(false);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
    this.say(this.isPlaying ? "Playing" : "Paused");
  }

  /** Let seconds of the reader's time pass. A motion that closes goes round; others rest at the end. */
  advance(passed) {
    const { start, end, duration } = this.motion;
    this.time += passed * Number(this.controls.speed.value);
    if (this.time < end) return;
    if (this.closes) {
      this.time = start + ((this.time - start) % duration);
      return;
    }
    this.time = end;
    this.held += passed;
    if (this.held > PAUSE_AT_END) {
      this.held = 0;
      this.time = start;
    }
  }

  seek(time) {
    this.time = Math.min(this.motion.end, Math.max(this.motion.start, time));
    this.held = 0;
    this.draw();
  }

  /** Go by samples, and stop there. */
  step(count) {
    this.pause();
    const last = this.motion.times.length - 1;
    const { index, share } = this.motion.place(this.time);
    const from = count > 0 ? index : index + (share > 0 ? 1 : 0);
    this.seek(this.motion.times[Math.min(last, Math.max(0, from + count))]);
  }

  show(what, on) {
    this.shown[what] = on;
    this.controls.showToggle(what, on);
    if (what === "plots") {
      this.plots.element.hidden = !on || !this.plots.plots.length;
    } else {
      this.stage.show(what, on);
    }
    this.draw();
  }

  flip(what) {
    if (!this.controls.toggles[what]) return;
    this.show(what, !this.shown[what]);
    this.say(`${what} ${this.shown[what] ? "shown" : "hidden"}`);
  }

  /** One body by itself, with all that acts on it; null shows all of them. */
  choose(body) {
    this.stage.choose(body);
    this.controls.showChosen(body);
    this.say(body === null ? "All bodies" : `Free body: ${this.motion.scene.bodies[body].name}`);
    this.draw();
  }

  /** The picture as it stands, as a file. */
  async save() {
    const [file, name] = await this.stage.saved(this.css);
    const link = element("a", { href: URL.createObjectURL(file), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    this.say("Picture saved");
  }

  /** Shift and an arrow: turn a spatial scene, move a planar one. */
  nudge(dx, dy) {
    if (this.motion.scene.plane) this.stage.shift(PAN_STEP * dx, PAN_STEP * dy);
    else this.stage.orbit(-ORBIT_STEP * dx, ORBIT_STEP * dy);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.element.open) return;
    const tag = event.target.tagName;
    if (tag === "SELECT") return;
    if (tag === "BUTTON" && (event.key === " " || event.key === "Enter")) return;
    const act = (event.shiftKey && this.shiftedKeys()[event.key]) || this.keys()[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
    this.draw();
  }

  shiftedKeys() {
    return {
      ArrowLeft: () => this.nudge(-1, 0),
      ArrowRight: () => this.nudge(1, 0),
      ArrowUp: () => this.nudge(0, -1),
      ArrowDown: () => this.nudge(0, 1),
    };
  }

  keys() {
    const { stage, motion } = this;
    const look = (azimuth, elevation) => () => {
      if (!motion.scene.plane) stage.look(azimuth, elevation);
    };
    const speed = (step) => () => this.say(`Speed ${this.controls.changeSpeed(step)}`);
    return {
      " ": () => this.toggle(),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      PageUp: () => this.step(-10),
      PageDown: () => this.step(10),
      Home: () => this.step(-motion.times.length),
      End: () => this.step(motion.times.length),
      "<": speed(-1),
      ">": speed(1),
      t: () => this.flip("trace"),
      h: () => this.flip("ghosts"),
      n: () => this.flip("names"),
      f: () => this.flip("forces"),
      r: () => this.flip("reactions"),
      b: () => this.controls.nextBody(),
      g: () => this.flip("plots"),
      "+": () => stage.magnify(1.25),
      "=": () => stage.magnify(1.25),
      "-": () => stage.magnify(0.8),
      0: () => stage.home(),
      1: look(-90, 0),
      2: look(0, 0),
      3: look(-90, 90),
      s: () => this.save(),
      "?": () => this.help.open(),
    };
  }
}

/** Put a player for a scene into an element of a page. */
function mount(root, scene, options) {
  return new Player(root, scene, options);
}

/** Start the player of a page of its own: its scene lies in the page as JSON. */
function mountPage() {
  const scene = JSON.parse(document.getElementById("kempe-scene").textContent);
  const css = document.getElementById("kempe-theme").textContent;
  return mount(document.getElementById("kempe-player"), scene, { page: true, css });
}
