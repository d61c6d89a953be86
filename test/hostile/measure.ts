// Sends to hostile receivers and measures: the reply, how long it took, and which connections are left.

import type { Clock, EndpointId, HttpPort, HttpRequest, Reply } from "@postrider/core";
import { createFetchHttp, FETCH_LIMITS } from "@postrider/fetch";
import { createSystemClock } from "@postrider/system";
import type { ExpectedReply, HostileReceiver } from "@postrider/testkit/hostile-receivers";
import { createUndiciHttp } from "@postrider/undici";
import { createSkippingClock } from "../postrider/skipping-clock.js";
import { connectedHttp } from "../thread/http-channel.js";
import { CONDITION_WATCHDOG_MS } from "../watchdogs.js";

export type Adapter = "undici" | "undici across a port" | "fetch";
export const ADAPTERS: readonly Adapter[] = ["undici", "fetch"];
/** With the port behind which a thread sends. */
export const ALL_ADAPTERS: readonly Adapter[] = ["undici", "undici across a port", "fetch"];

/** An adapter, and the timers that it has. */
export interface Subject {
  readonly http: HttpPort;
  pendingTimers(): number;
  /** Advances its clock at once. */
  readonly skip: (ms: number) => void;
  close(): Promise<void>;
}

export interface Sent {
  readonly reply: Reply;
  readonly tookMs: number;
  /**
   * The number of the shortest timers, one after the other, by which it came later than a timer that was set beside the request; below
   * zero if it came before. On a busy machine they are longer, but not more.
   */
  readonly lateTurns: number;
}

/** What an adapter needs to end a request once its timer has fired. */
export const MAX_LATE_TURNS = 50;

const BODY = new TextEncoder().encode('{"type":"track"}');

/** A request of the usual form. */
export function post(url: string, timeoutMs: number): HttpRequest {
  return { url: url as EndpointId, headers: [["Content-Type", "application/json"]], body: BODY, timeoutMs };
}

/** An adapter that may reach this machine. */
export function openSubject(adapter: Adapter): Subject {
  const skipping = createSkippingClock();
  const clock = createCountingClock(skipping);
  const watched = { pendingTimers: (): number => clock.pending(), skip: (ms: number): void => skipping.skip(ms) };
  if (adapter === "fetch") return { http: createFetchHttp({ clock }), ...watched, close: () => Promise.resolve() };
  const plain = createUndiciHttp({ clock, network: { allow: ["127.0.0.0/8"] } });
  const http = adapter === "undici" ? plain : connectedHttp(plain, { clock }).http;
  return { http, ...watched, close: () => http.close() };
}

/** Sends one request and watches the time. */
export async function sendTimed({ http }: Subject, url: string, timeoutMs: number): Promise<Sent> {
  const clock = createSystemClock();
  const startedAt = clock.monotonic();
  const replying = http.send(post(url, timeoutMs));
  let lateTurns = -1;
  let isOver = false;
  const turn = (): void => {
    if (isOver) return;
    lateTurns += 1;
    clock.after(1, turn);
  };
  const cancel = clock.after(timeoutMs, turn);
  const reply = await replying;
  isOver = true;
  cancel();
  return { reply, tookMs: clock.monotonic() - startedAt, lateTurns };
}

/** A complete answer leaves a connection that can be used again; all others must be closed. */
export function keptAfter({ name }: HostileReceiver): number {
  return WHOLE.has(name) ? 1 : 0;
}

const WHOLE = new Set(["accepts", "refuses", "unasked100", "gzipBomb", "deflateBomb", "brBomb", "manyEncodings"]);

/**
 * The reply of an adapter to a hostile receiver. For `fetch`, the parts that it does not support change it: a fault may
 * have any name, endless framing takes the whole timeout, and an answer that it cannot unpack is a failure.
 */
export function expectedOf(
  adapter: Adapter,
  { name, expected }: HostileReceiver,
): ExpectedReply | { readonly kind: "silent" } {
  if (adapter !== "fetch") return expected;
  if (FETCH_LIMITS.rawAnswers.reason !== "" && name === "manyEncodings") return { kind: "silent" };
  if (FETCH_LIMITS.statusLines.reason !== "" && BROKEN_HEADS.has(name)) return { kind: "silent" };
  if (FETCH_LIMITS.statusLines.reason !== "" && name === "dripHeaders") return { ...SILENT, takes: "all its time" };
  const framed = FETCH_LIMITS.boundedFraming.reason !== "" && UNBOUNDED_BY_FETCH.has(name);
  const takes = framed ? ({ takes: "all its time" } as const) : {};
  return expected.kind === "silent" && expected.fault !== "timeout"
    ? { kind: "silent", ...takes }
    : { ...expected, ...takes };
}

const SILENT = { kind: "silent", fault: "timeout" } as const;
/** Successes whose head breaks, or never ends. */
const BROKEN_HEADS = new Set([
  ...[
    "lfOnly",
    "nulInHeader",
    "headerWithoutColon",
    "spaceBeforeColon",
    "contentLengthAndChunked",
    "twoContentLengths",
  ],
  ...["oddContentLength", "unasked100", "hugeHeaders", "manyHeaders", "endlessHeader", "truncatedHeaders"],
]);

/** Framing that `fetch` reads for as long as it comes. */
const UNBOUNDED_BY_FETCH = new Set(["endlessChunkExtension", "endlessStatusText", "flood1xx"]);

/** A word for a reply. */
export function wordFor(reply: Reply): string {
  return reply.kind === "answered" ? String(reply.status) : reply.fault;
}

/** Resolves when it is true, or when the time is up. */
export async function settles(holds: () => boolean, withinMs: number = CONDITION_WATCHDOG_MS): Promise<void> {
  const clock = createSystemClock();
  const givenUpAt = clock.monotonic() + withinMs;
  while (!holds() && clock.monotonic() < givenUpAt) {
    await new Promise<void>((resolve) => {
      clock.after(5, resolve);
    });
  }
}

/** A clock, the system's unless one is given, and how many of its timers are pending. */
export function createCountingClock(clock: Clock = createSystemClock()): Clock & { pending(): number } {
  const pending = new Set<symbol>();
  return {
    ...clock,
    pending: () => pending.size,
    after(delayMs, wake) {
      const timer = Symbol("timer");
      pending.add(timer);
      const cancel = clock.after(delayMs, () => {
        pending.delete(timer);
        wake();
      });
      return () => {
        pending.delete(timer);
        cancel();
      };
    },
  };
}
