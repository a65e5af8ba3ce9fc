// Library, commands, keys, exports: what opens over the page.

import { useMemo, useRef, useState } from "preact/hooks";
import { exportAs, importFile, openEntry, save, startNew } from "../app/actions";
import { commands } from "../app/commands";
import * as s from "../app/state";
import type { LibraryEntry } from "../messages";
import { words } from "../words";
import { Button, Dialog, Field } from "./bits";

const shut = () => {
  s.dialog.value = null;
};

export function Dialogs() {
  if (s.dialog.value === "library") return <Library />;
  if (s.dialog.value === "palette") return <Palette />;
  if (s.dialog.value === "help") return <Help />;
  if (s.dialog.value === "exports") return <Exports />;
  if (s.report.value.length) return <Report />;
  return null;
}

function Library() {
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const wanted = text.trim().toLowerCase().replace(/[ _-]+/g, " ");
  const matches = (one: LibraryEntry) => !wanted || `${one.name} ${one.words}`.toLowerCase().replace(/[_-]/g, " ").includes(wanted);
  const found = s.library.value.filter(matches);
  const group = (source: "gallery" | "file", title: string) => {
    const some = found.filter((one) => one.source === source);
    if (!some.length) return null;
    return (
      <>
        <h3>{title}</h3>
        <ul class="library">
          {some.map((one) => (
            <li key={one.name}>
              <button type="button" onClick={() => void openEntry(one.source, one.name)}>
                <b>{one.name.replace(/_/g, " ")}</b>
                <span>{one.words}</span>
              </button>
            </li>
          ))}
        </ul>
      </>
    );
  };
  return (
    <Dialog title={words.library.title} close={shut} closeWord={words.close} wide>
      <div class="actions">
        <Button label={`${words.library.fresh}: ${words.library.freshPlane}`} icon="plus" kind="main" act={() => void startNew(true)} />
        <Button label={`${words.library.fresh}: ${words.library.freshSpace}`} icon="plus" act={() => void startNew(false)} />
        <Button label={words.library.choose} icon="library" act={() => input.current?.click()} />
        <input
          ref={input}
          type="file"
          hidden
          aria-label={words.library.choose}
          accept={s.imports.value.join(",")}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) void importFile(file);
          }}
        />
        <span class="hint">{words.library.drop}</span>
      </div>
      <Field label={words.library.search} value={text} change={setText} input={setText} wide first />
      <div class="library-groups">
        {group("file", words.library.files)}
        {group("gallery", words.library.gallery)}
        {found.length || !s.library.value.length ? null : <p class="hint">{words.library.none}</p>}
      </div>
    </Dialog>
  );
}

function Palette() {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const found = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    return commands.filter((one) => (!one.when || one.when()) && one.label.toLowerCase().includes(wanted) && one.label !== words.palette.title);
  }, [text]);
  const run = (k: number) => {
    const chosen = found[k];
    shut();
    chosen?.run();
  };
  return (
    <Dialog title={words.palette.title} close={shut} closeWord={words.close}>
      <input
        class="palette-input"
        autofocus
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[at] ? `command-${at}` : undefined}
        aria-label={words.palette.placeholder}
        placeholder={words.palette.placeholder}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(found.length - 1, at + 1));
          else if (event.key === "ArrowUp") setAt(Math.max(0, at - 1));
          else if (event.key === "Enter") run(at);
          else return;
          event.preventDefault();
        }}
      />
      <ul id="palette-list" class="palette" role="listbox" aria-label={words.palette.title}>
        {found.map((one, k) => (
          <li key={one.label} id={`command-${k}`} role="option" aria-selected={k === at} onClick={() => run(k)}>
            <span>{one.label}</span>
            {one.keys ? <kbd>{one.keys}</kbd> : null}
          </li>
        ))}
      </ul>
      {found.length ? null : <p class="hint">{words.palette.none}</p>}
    </Dialog>
  );
}

function Help() {
  return (
    <Dialog title={words.help.title} close={shut} closeWord={words.close}>
      <p class="hint">{words.help.hint}</p>
      <dl class="keys">
        {commands.filter((one) => one.keys).map((one) => (
          <div key={one.label}>
            <dt>{one.keys?.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{one.label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function Exports() {
  const [path, setPath] = useState(s.doc.value?.file ?? "");
  const group = (of: "document" | "motion", title: string) => {
    const some = s.exportsKnown.value.filter((one) => one.of === of);
    if (!some.length) return null;
    return (
      <>
        <h3>{title}</h3>
        {of === "motion" && !s.motion.value ? <p class="hint">{words.exports.needMotion}</p> : null}
        <ul class="exports">
          {some.map((one) => (
            <li key={one.ending}>
              <Button
                label={one.ending}
                icon="export"
                disabled={Boolean(one.missing) || (of === "motion" && !s.motion.value)}
                act={() => void exportAs(one.ending)}
              />
              <span>{one.words}{one.missing ? <code>{one.missing}</code> : null}</span>
            </li>
          ))}
        </ul>
      </>
    );
  };
  return (
    <Dialog title={words.exports.title} close={shut} closeWord={words.close}>
      <div class="actions">
        <Field label={words.exports.saveAs} value={path} change={setPath} input={setPath} hint="mechanism.yaml" wide />
        <Button label={words.exports.save} kind="main" act={() => void save(path.trim() || undefined)} />
      </div>
      {group("document", words.exports.document)}
      {group("motion", words.exports.motion)}
    </Dialog>
  );
}

function Report() {
  const close = () => {
    s.report.value = [];
  };
  return (
    <Dialog title={words.library.report} close={close} closeWord={words.close}>
      <ul>{s.report.value.map((line, k) => <li key={k}>{line}</li>)}</ul>
    </Dialog>
  );
}
