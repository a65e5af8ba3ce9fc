// Small things that every panel is made of.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { dismiss, notices } from "../app/state";
import { words } from "../words";

const PATHS: Record<string, string> = {
  select: "M5 3l10 7-5 .8L7.6 16z",
  bar: "M5 15L15 5M3.2 15a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0M13 5a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0",
  solid: "M10 3l6.5 3.5v7L10 17l-6.5-3.5v-7zM3.5 6.5L10 10l6.5-3.5M10 10v7",
  pin: "M10 4a2 2 0 1 0 .01 0M8.8 7.6L5.5 14h9L11.2 7.6M3.5 14h13M5 17l2-3M9 17l2-3M13 17l2-3",
  joint: "M10 7a3 3 0 1 0 .01 0M3 10h4M13 10h4",
  slider: "M3 15h14M6 6h8v6H6zM4.5 18l2-3M9 18l2-3M13.5 18l2-3",
  spring: "M2 10h2.5l1.5-4 2.5 8 2.5-8 2.5 8 1.5-4H18",
  slot: "M5.5 6.5h9a3.5 3.5 0 0 1 0 7h-9a3.5 3.5 0 0 1 0-7M8 8.6a1.5 1.5 0 1 0 .01 0",
  curve: "M3 14c2-9 6-9 7-4s5 4 7-5M10 8.4a1.6 1.6 0 1 0 .01 0",
  wheel: "M10 3.5a6.5 6.5 0 1 0 .01 0M10 8.6a1.4 1.4 0 1 0 .01 0M10 3.5v5M10 11.4v5",
  gear: "M7 4.5a4 4 0 1 0 .01 0M14 10.5a3 3 0 1 0 .01 0M7 2.6v1.6M7 13v1.6M1.2 8.5h1.6M3 4.5l1.1 1.1M3 12.5l1.1-1.1M14 16.8v1.5M17.2 13.5h1.5",
  rack: "M10 2.5a4.3 4.3 0 1 0 .01 0M2 17.5v-3h2v-2h2.5v2H9v-2h2.5v2H14v-2h2.5v2H18v3z",
  damper: "M2 10h4M6 6v8h6V6zM9 10h9M9 7.5v5",
  motor: "M10 4a6 6 0 1 0 .01 0M7.5 12.5V8l2.5 3 2.5-3v4.5",
  mass: "M5 16l1.5-8h7L15 16zM8 8a2 2 0 1 1 4 0",
  force: "M4 16L15 5M9 5h6v6",
  drive: "M15.5 10a5.5 5.5 0 1 1-2-4.2M14.5 2.5v4h-4",
  point: "M10 8.4a1.6 1.6 0 1 0 .01 0M10 3v3M10 14v3M3 10h3M14 10h3",
  play: "M6 4.5v11l9-5.5z",
  pause: "M6 4.5h3v11H6zM11 4.5h3v11h-3z",
  back: "M14 5v10l-7-5zM5 5h1.6v10H5z",
  next: "M6 5v10l7-5zM13.4 5H15v10h-1.6z",
  trace: "M3 13c1-8 6-10 8-6s-3 8-5 6 4-9 11-5",
  ghosts: "M4 15L9 5M8 15l4-10M12 15l3-10",
  forces: "M4 16L14 6M8.5 5.2h6.3v6.3",
  names: "M4 5h12M10 5v11",
  undo: "M7.5 4L3.5 8l4 4M4 8h7.5a4.5 4.5 0 0 1 0 9H8",
  redo: "M12.5 4l4 4-4 4M16 8H8.5a4.5 4.5 0 0 0 0 9H12",
  loop: "M4 10a5 5 0 0 1 5-5h5M11.5 2.5L14 5l-2.5 2.5M16 10a5 5 0 0 1-5 5H6M8.5 12.5L6 15l2.5 2.5",
  library: "M4 4h4v12H4zM10 4h3v12h-3zM14.5 5l2.8-.7 2 11.2-2.9.7",
  export: "M10 3v9M6.5 6.5L10 3l3.5 3.5M4 11v5h12v-5",
  close: "M5 5l10 10M15 5L5 15",
  lock: "M6 9V7a4 4 0 0 1 8 0v2M5 9h10v7H5z",
  unlock: "M6 9V7a4 4 0 0 1 7.6-1.6M5 9h10v7H5z",
  home: "M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  copy: "M7 7h9v9H7zM4 13V4h9",
  trash: "M4 6h12M8 6V4h4v2M5.5 6l1 10h7l1-10",
  check: "M4 10.5l4 4L16 5.5",
};
const FILLED = new Set(["play", "pause", "back", "next", "select"]);

export function Icon({ name }: { name: string }) {
  return (
    <svg class={FILLED.has(name) ? "icon filled" : "icon"} viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name] ?? ""} />
    </svg>
  );
}

interface ButtonProps {
  label: string;
  icon?: string;
  keys?: string;
  pressed?: boolean;
  disabled?: boolean;
  kind?: "plain" | "main" | "quiet" | "danger";
  bare?: boolean; // only the icon is seen
  act: () => void;
  children?: ComponentChildren;
}

export function Button({ label, icon, keys, pressed, disabled, kind = "plain", bare, act, children }: ButtonProps) {
  const more: JSX.IntrinsicElements["button"] = {};
  if (pressed !== undefined) more["aria-pressed"] = pressed;
  if (bare) more["aria-label"] = label;
  return (
    <button
      type="button"
      class={`button ${kind}${bare ? " bare" : ""}`}
      disabled={disabled ?? false}
      title={keys ? `${label} (${keys})` : label}
      onClick={act}
      {...more}
    >
      {icon ? <Icon name={icon} /> : null}
      {bare ? (icon ? null : children) : (children ?? label)}
    </button>
  );
}

interface FieldProps {
  label: string;
  value: string;
  change: (text: string) => void;
  input?: (text: string) => void;
  list?: string;
  hint?: string;
  wide?: boolean;
  enter?: () => void;
  id?: string;
  first?: boolean; // has the keys when its dialog opens
}

/** A line of text that is given when the field is left, or with Enter. */
export function Field({ label, value, change, input, list, hint, wide, enter, id, first }: FieldProps) {
  const [text, setText] = useState(value);
  const given = useRef(value);
  // Before the next key can come: a letter typed meanwhile must not be lost.
  useLayoutEffect(() => {
    given.current = value;
    setText(value);
  }, [value]);
  const give = () => {
    if (text === given.current) return;
    given.current = text;
    change(text);
  };
  return (
    <label class={wide ? "field wide" : "field"}>
      <span class="field-label">{label}</span>
      <input
        id={id}
        type="text"
        value={text}
        placeholder={hint ?? ""}
        list={list}
        autocomplete="off"
        spellcheck={false}
        autofocus={first ?? false}
        onInput={(event) => {
          setText(event.currentTarget.value);
          input?.(event.currentTarget.value);
        }}
        onBlur={give}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          give();
          enter?.();
        }}
      />
    </label>
  );
}

export function Section({ title, children, aside }: { title: string; children: ComponentChildren; aside?: ComponentChildren }) {
  return (
    <section class="section">
      <div class="section-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A modal dialog: Escape and a click beside it close it; the keys go back where they were. */
export function Dialog({ title, close, closeWord, children, wide }: { title: string; close: () => void; closeWord: string; children: ComponentChildren; wide?: boolean }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? "dialog wide" : "dialog"}
      aria-label={title}
      onClose={close}
      onClick={(event) => {
        if (event.target === element.current) close();
      }}
    >
      <div class="dialog-body">
        <div class="section-head">
          <h2>{title}</h2>
          <Button label={closeWord} icon="close" bare kind="quiet" act={close} />
        </div>
        <Notices />
        {children}
      </div>
    </dialog>
  );
}

/** What happened, and what was refused and why; beside the drawing, or in the dialog that is open. */
export function Notices() {
  return (
    <div class="notices">
      {notices.value.map((one) => (
        <div key={one.id} class={`notice ${one.tone}`} role={one.tone === "bad" ? "alert" : "status"}>
          <p>{one.text}{one.advice ? <span class="advice"> {one.advice}</span> : null}</p>
          <Button label={words.dismiss} icon="close" bare kind="quiet" act={() => dismiss(one.id)} />
        </div>
      ))}
    </div>
  );
}

/** A pointer's event at an element of its own. */
export type Pointed<T extends EventTarget> = PointerEvent & { readonly currentTarget: T };
