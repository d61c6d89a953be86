// Takes the answers of receivers from a trace, as a script for the receivers of a simulated host: an export from which a new world is made.

import type { Fault, Reply } from "@postrider/core";
import { createDecoder } from "./format/encoding.js";
import type { Trace, TraceSegment } from "./trace.js";
import type { Turn } from "./turn.js";

/** The answer of a receiver to a request. */
type TracedReply =
  | {
      readonly kind: "answers";
      readonly status: number;
      readonly afterMs: number;
      readonly retryAfter?: string;
      readonly excerpt: Uint8Array;
    }
  | { readonly kind: "fails"; readonly fault: Fault; readonly afterMs: number }
  | { readonly kind: "hangs" };

/** The filter of the replies. */
export interface RepliesOptions {
  /** Only replies to requests of this delivery; if absent, of all, and of test events. */
  readonly delivery?: string;
}

/**
 * The replies of each URL, in the order of its requests: `receivers` of `createSimulatedHost`, `script` of `createScriptedHttp`.
 * A request that had no reply when the trace was saved is left out.
 */
export function repliesOf(
  { segments }: Trace,
  { delivery }: RepliesOptions = {},
): Readonly<Record<string, readonly TracedReply[]>> {
  const replies = new Map<string, TracedReply[]>();
  for (const segment of segments) {
    for (const { url, reply } of exchangesOf(segment, delivery)) {
      replies.set(url, [...(replies.get(url) ?? []), scripted(reply)]);
    }
  }
  return Object.fromEntries(replies);
}

interface Exchange {
  readonly url: string;
  readonly reply: Reply;
}

/** The requests of a segment that have a reply, in the order in which they were sent. */
function exchangesOf({ turns }: TraceSegment, delivery: string | undefined): readonly Exchange[] {
  const decode = createDecoder();
  const answered = new Map(turns.map((turn) => [turn.cause[0] === "answer" ? turn.cause[1] : undefined, turn]));
  return turns.flatMap(({ steps }) =>
    steps.flatMap((step) => {
      const turn = step[0] === "ask" && step[2] === "http.send" ? answered.get(step[1]) : undefined;
      if (turn === undefined || (delivery !== undefined && !hasAttempt(turn, delivery))) return [];
      const [request] = step[3] as readonly [{ readonly url: string }];
      return [{ url: request.url, reply: decode(turn.cause[2]) as Reply }];
    }),
  );
}

/** True if an attempt of the delivery was reported in a turn: its reply came in that turn. */
function hasAttempt({ steps }: Turn, delivery: string): boolean {
  return steps.some(([kind, event]) => kind === "event" && isAttempt(event, delivery));
}

function isAttempt(event: unknown, delivery: string): boolean {
  const { kind, delivery: of } = event as { readonly kind?: unknown; readonly delivery?: unknown };
  return kind === "attempted" && of === delivery;
}

function scripted(reply: Reply): TracedReply {
  if (reply.kind === "answered") return { ...reply, kind: "answers" };
  const { fault, afterMs } = reply;
  return fault === "timeout" ? { kind: "hangs" } : { kind: "fails", fault, afterMs };
}
