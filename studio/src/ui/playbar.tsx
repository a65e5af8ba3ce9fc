// The bar below the drawing: play, step, scrub, marks, speed, loop.

import { pause, play, seek, step } from "../app/clock";
import * as s from "../app/state";
import { words } from "../words";
import { Button } from "./bits";

const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5];

export function PlayBar() {
  const has = s.hasMotion.value;
  const scene = s.scene.value;
  const times = scene?.times ?? [0];
  const [start, end] = [times[0] ?? 0, times[times.length - 1] ?? 0];
  const span = end - start || 1;
  const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(span))));
  const words_ = `${s.time.value.toFixed(digits)} s`;
  return (
    <div class="playbar" role="toolbar" aria-label={words.play.label}>
      <Button label={words.play.back} keys="←" icon="back" bare kind="quiet" disabled={!has} act={() => step(-1)} />
      {s.playing.value ? (
        <Button label={words.play.pause} keys="Space" icon="pause" bare kind="main" act={pause} />
      ) : (
        <Button label={words.play.play} keys="Space" icon="play" bare kind="main" disabled={!has} act={play} />
      )}
      <Button label={words.play.next} keys="→" icon="next" bare kind="quiet" disabled={!has} act={() => step(1)} />
      <div class="track">
        <input
          type="range"
          aria-label={words.play.time}
          aria-valuetext={words_}
          min="0"
          max="1000"
          step="any"
          disabled={!has}
          value={(1000 * (s.time.value - start)) / span}
          onInput={(event) => seek(start + (Number(event.currentTarget.value) / 1000) * span)}
        />
        {has ? (
          <div class="moments">
            {scene?.marks.map((mark, k) => (
              <button
                key={k}
                type="button"
                class="moment"
                style={{ left: `${(100 * (mark.time - start)) / span}%` }}
                title={mark.name}
                aria-label={`${mark.name}, ${mark.time.toFixed(digits)} s`}
                onClick={() => seek(mark.time)}
              />
            ))}
          </div>
        ) : null}
      </div>
      <output class="clock">{has ? words_ : words.play.still}</output>
      <select
        aria-label={words.play.speed}
        title={words.play.speed}
        value={String(s.speed.value)}
        onChange={(event) => {
          s.speed.value = Number(event.currentTarget.value);
        }}
      >
        {SPEEDS.map((speed) => <option key={speed} value={String(speed)}>×{speed}</option>)}
      </select>
      <Button
        label={words.play.loop}
        icon="loop"
        bare
        kind="quiet"
        pressed={s.looping.value}
        act={() => {
          s.looping.value = !s.looping.value;
        }}
      />
    </div>
  );
}
