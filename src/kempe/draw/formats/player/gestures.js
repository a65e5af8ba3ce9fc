// Pointer, touch and wheel on the stage: orbit in space, pan in the plane, pinch and wheel to zoom.

const DEGREES_PER_PX = 0.45;
const ZOOM_PER_WHEEL_PX = 0.0015;

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
