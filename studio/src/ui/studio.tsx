// The whole page: a bar above, a panel beside the drawing, a player below.

import { useEffect, useState } from "preact/hooks";
import { importFile, openLibrary, redo, undo } from "../app/actions";
import { commands, go, onKey } from "../app/commands";
import * as s from "../app/state";
import { words } from "../words";
import { Button, Notices } from "./bits";
import { Canvas } from "./canvas";
import { CheckPanel } from "./check";
import { Configurations } from "./configurations";
import { DesignPanel } from "./design";
import { Dialogs } from "./dialogs";
import { DraftPanel, ToolBar } from "./drafting";
import { ForcesPanel, Plots, Tasks } from "./forces";
import { DeadPoint, MovePanel } from "./move";
import { Inspector, Mirror, Outline, Parameters, Script } from "./panels";
import { PlayBar } from "./playbar";

const SCREENS = Object.keys(words.screens) as s.Screen[];

export function Studio() {
  const [isDropping, setDropping] = useState(false);
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const screen = s.screen.value;
  return (
    <div
      class={`studio screen-${screen}${isDropping ? " dropping" : ""}`}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={(event) => {
        if (event.target === event.currentTarget) setDropping(false);
      }}
      onDrop={(event) => {
        const file = event.dataTransfer?.files[0];
        setDropping(false);
        if (!file) return;
        event.preventDefault();
        void importFile(file);
      }}
    >
      <a class="skip" href="#drawing">{words.skip}</a>
      <TopBar />
      <main id="drawing" tabIndex={-1}>
        {s.doc.value === null ? <p class="loading">{words.loading}</p> : (
          <>
            {screen === "edit" ? <ToolBar /> : null}
            <div class="stage-side">
              <Canvas />
              <DeadPoint />
              <Tasks />
              {s.dialog.value ? null : <Notices />}
            </div>
            <aside class="side" aria-label={words.screens[screen]}>
              {screen === "edit" ? <EditSide /> : null}
              {screen === "move" ? <MovePanel /> : null}
              {screen === "configurations" ? <Configurations /> : null}
              {screen === "forces" ? <ForcesPanel /> : null}
              {screen === "design" ? <DesignPanel /> : null}
            </aside>
            {screen === "forces" ? <Plots /> : null}
          </>
        )}
      </main>
      {s.isMoving.value ? <PlayBar /> : null}
      <Dialogs />
      <p class="spoken" role="status" aria-live="polite">{s.spoken.value}</p>
    </div>
  );
}

function TopBar() {
  const doc = s.doc.value;
  const run = (label: string) => commands.find((one) => one.label === label)?.run();
  return (
    <header class="topbar">
      <div class="brand">
        <Monogram />
        <span class="brand-name">{words.app}</span>
      </div>
      <nav aria-label={words.screensLabel}>
        {SCREENS.map((one) => (
          <button key={one} type="button" class="screen" aria-current={s.screen.value === one ? "page" : undefined} onClick={() => go(one)}>
            {words.screens[one]}
          </button>
        ))}
      </nav>
      <div class="topbar-end">
        <span class={`saved ${s.online.value}`} title={doc?.file ?? words.unsaved}>
          {s.online.value === "lost" ? words.lost : doc?.is_saved ? words.saved : s.autosavedAt.value >= (doc?.revision ?? 0) ? words.autosaved : ""}
        </span>
        <Button label={doc?.undo ? `${words.undo}: ${doc.undo}` : words.undo} icon="undo" keys="Ctrl Z" bare kind="quiet" disabled={!doc?.undo} act={() => void undo()} />
        <Button label={doc?.redo ? `${words.redo}: ${doc.redo}` : words.redo} icon="redo" keys="Ctrl Shift Z" bare kind="quiet" disabled={!doc?.redo} act={() => void redo()} />
        <Button label={words.library.open} icon="library" keys="Ctrl O" kind="quiet" act={() => void openLibrary()} />
        <Button label={words.exports.title} icon="export" keys="Ctrl E" kind="quiet" act={() => run(words.exports.title)} />
        <Button label={words.help.title} keys="?" kind="quiet" bare act={() => run(words.help.title)}>?</Button>
      </div>
    </header>
  );
}

/** Four bars, as on the cover of every book about them. */
function Monogram() {
  return (
    <svg class="monogram" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M5 25L9 11L25 6L27 25" />
      {[[5, 25], [9, 11], [25, 6], [27, 25]].map(([x, y]) => <circle key={`${x}`} cx={x} cy={y} r="2.6" />)}
    </svg>
  );
}

const TABS: [s.Tab, string][] = [
  ["properties", words.inspector.title],
  ["parameters", words.parameters.title],
  ["check", words.check.title],
  ["yaml", words.mirror.title],
  ["python", words.python.title],
];

function EditSide() {
  const now = s.tab.value;
  const move = (way: number) => {
    const k = (TABS.findIndex(([name]) => name === now) + way + TABS.length) % TABS.length;
    const next = TABS[k]?.[0];
    if (!next) return;
    s.tab.value = next;
    requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus());
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={words.more}>
        {TABS.map(([name, label]) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={now === name}
            aria-controls="tab-panel"
            tabIndex={now === name ? 0 : -1}
            onClick={() => {
              s.tab.value = name;
            }}
            onKeyDown={(event) => {
              if (event.key === "ArrowRight") move(1);
              if (event.key === "ArrowLeft") move(-1);
            }}
          >
            {label}
            {name === "check" && s.shown.value?.problems.length ? <span class="alarm" aria-label={words.problem} role="img">!</span> : null}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${now}`} class="tab-panel">
        {now === "properties" ? <><DraftPanel /><Inspector /><Outline /></> : null}
        {now === "parameters" ? <Parameters /> : null}
        {now === "check" ? <CheckPanel /> : null}
        {now === "yaml" ? <Mirror /> : null}
        {now === "python" ? <Script /> : null}
      </div>
    </>
  );
}

