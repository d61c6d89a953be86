// Takes the answers of receivers from a trace, as a script for the receivers of a simulated host, which can then play the incident again.

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
      replies.set(url, [...(replies.get(url) ?? []), toTracedReply(reply)]);
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
  const answers = answersByQuestion(turns);
  return turns.flatMap(({ steps }) =>
    steps.flatMap((step) => {
      if (step[0] !== "ask") return [];
      const [, id, question, args] = step;
      const answer = question === "http.send" ? answers.get(id) : undefined;
      if (answer === undefined || (delivery !== undefined && !hasAttempt(answer.turn, delivery))) return [];
      const [request] = args as readonly [{ readonly url: string }];
      return [{ url: request.url, reply: decode(answer.value) as Reply }];
    }),
  );
}

interface PortAnswer {
  readonly value: unknown;
  /** The turn that it began. */
  readonly turn: Turn;
}

function answersByQuestion(turns: readonly Turn[]): ReadonlyMap<number, PortAnswer> {
  const answers = new Map<number, PortAnswer>();
  for (const turn of turns) {
    const { cause } = turn;
    if (cause[0] !== "answer") continue;
    const [, question, value] = cause;
    answers.set(question, { value, turn });
  }
  return answers;
}

/** True if an attempt of the delivery was reported in a turn: its reply came in that turn. */
function hasAttempt({ steps }: Turn, delivery: string): boolean {
  return steps.some(([kind, event]) => kind === "event" && isAttempt(event, delivery));
}

function isAttempt(event: unknown, delivery: string): boolean {
  const { kind, delivery: subject } = event as { readonly kind?: unknown; readonly delivery?: unknown };
  return kind === "attempted" && subject === delivery;
}

function toTracedReply(reply: Reply): TracedReply {
  if (reply.kind === "answered") return { ...reply, kind: "answers" };
  const { fault, afterMs } = reply;
  return fault === "timeout" ? { kind: "hangs" } : { kind: "fails", fault, afterMs };
}
