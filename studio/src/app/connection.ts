// One WebSocket, one message a frame: requests with their answers, and what the server says unasked.

import type { Answers, Changed, Mistake, MotionComponent, Reply, Request } from "../messages";
import { words } from "../words";

export type Kind = keyof Answers;
export type Asked<K extends Kind> = Omit<Extract<Request, { type: K }>, "id" | "type">;

export interface Hooks {
  progress?: (part: number | null, text: string) => void;
  found?: (component: MotionComponent, axes: string[], units: string[]) => void;
}

interface Waiting {
  done: (result: unknown) => void;
  failed: (mistake: Refused) => void;
  hooks: Hooks;
}

/** Why there is no answer, in the server's words. */
export class Refused extends Error {
  constructor(readonly mistake: Mistake) {
    super(mistake.text);
  }
}

const RETRIES = [300, 700, 1500, 3000]; // ms

export class Connection {
  onOpen: () => void = () => undefined;
  onLost: () => void = () => undefined;
  onChanged: (change: Changed) => void = () => undefined;
  onAutosaved: (revision: number) => void = () => undefined;
  private socket: WebSocket | null = null;
  private waiting = new Map<number, Waiting>();
  private last = 0;
  private tries = 0;

  open(): void {
    const at = new URL("ws", document.baseURI);
    at.protocol = at.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(at);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.tries = 0;
      this.onOpen();
    });
    socket.addEventListener("message", (event) => this.hear(JSON.parse(String(event.data)) as Reply));
    socket.addEventListener("close", () => this.lose());
  }

  /** Ask; the promise is broken with `Refused` where the server explains why not. */
  ask<K extends Kind>(type: K, fields: Asked<K>, hooks: Hooks = {}): { id: number; answer: Promise<Answers[K]> } {
    this.last += 1;
    const id = this.last;
    const answer = new Promise<Answers[K]>((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        failed(gone());
        return;
      }
      this.waiting.set(id, { done: done as (result: unknown) => void, failed, hooks });
      this.socket.send(JSON.stringify({ id, type, ...fields }));
    });
    return { id, answer };
  }

  private hear(reply: Reply): void {
    if (reply.type === "changed") this.onChanged(reply.change);
    else if (reply.type === "autosaved") this.onAutosaved(reply.revision);
    else {
      const waiting = reply.re === null ? undefined : this.waiting.get(reply.re);
      if (!waiting) return;
      if (reply.type === "progress") waiting.hooks.progress?.(reply.part, reply.text);
      if (reply.type === "found") waiting.hooks.found?.(reply.component, reply.axes, reply.units);
      if (reply.type === "done") {
        this.waiting.delete(reply.re);
        waiting.done(reply.result);
      }
      if (reply.type === "error" && reply.re !== null) {
        this.waiting.delete(reply.re);
        waiting.failed(new Refused(reply.error));
      }
    }
  }

  private lose(): void {
    for (const waiting of this.waiting.values()) waiting.failed(gone());
    this.waiting.clear();
    this.onLost();
    const pause = RETRIES[Math.min(this.tries, RETRIES.length - 1)];
    this.tries += 1;
    window.setTimeout(() => this.open(), pause);
  }
}

function gone(): Refused {
  return new Refused({ kind: "fault", text: words.gone, problems: [] });
}
