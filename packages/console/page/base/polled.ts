// Data that is read again and again while it is looked at: not while the page is hidden, and the less often the longer an answer takes.

import { useEffect, useState } from "preact/hooks";
import { type FetchResult, type FetchFault, fetchData } from "./ask.js";

export interface Polled<T> {
  /** The latest value; undefined before the first answer. */
  readonly value: T | undefined;
  /** The fault of the last request; undefined if it had none. */
  readonly fault: FetchFault | undefined;
  /** Reads again now. */
  readonly again: () => void;
}

type Ask<T> = (path: string) => Promise<FetchResult<T>>;

/** After an answer there is a pause of at least this many times its duration. */
const PAUSE_FACTOR = 9;

/** Reads `path` by `ask`, at once and then every `everyMs`; once only if that is 0. Without a path nothing is read. */
export function usePolled<T>(path: string | undefined, everyMs: number, ask: Ask<T> = fetchData): Polled<T> {
  const [value, setValue] = useState<T>();
  const [fault, setFault] = useState<FetchFault>();
  const [restarts, setRestarts] = useState(0);
  useEffect(() => {
    if (path === undefined) return undefined;
    return poll<T>(
      () => ask(path),
      everyMs,
      (answer) => {
        if (answer.kind === "ok") setValue(answer.value);
        setFault(answer.kind === "ok" ? undefined : answer);
      },
    );
  }, [path, everyMs, restarts]);
  return { value, fault, again: () => setRestarts((count) => count + 1) };
}

/** Returns a function that ends the polling. */
function poll<T>(
  ask: () => Promise<FetchResult<T>>,
  everyMs: number,
  onAnswer: (answer: FetchResult<T>) => void,
): () => void {
  let isOver = false;
  let timer: number | undefined;

  async function read(): Promise<void> {
    const startedAt = performance.now();
    const answer = await ask();
    if (isOver) return;
    onAnswer(answer);
    const tookMs = performance.now() - startedAt;
    if (everyMs > 0) timer = setTimeout(readIfSeen, Math.max(everyMs, tookMs * PAUSE_FACTOR));
  }

  function readIfSeen(): void {
    timer = undefined;
    if (!document.hidden) void read();
  }

  /** A page that was hidden when its turn came goes on when it is seen again. */
  function onSeen(): void {
    if (!document.hidden && timer === undefined && everyMs > 0) {
      timer = setTimeout(readIfSeen, 0);
    }
  }

  document.addEventListener("visibilitychange", onSeen);
  void read();
  return () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onSeen);
  };
}
