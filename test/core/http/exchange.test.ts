// One exchange, by what an adapter reports of it: any events in any order, and the laws that every one of them obeys.

import { FAULTS, MAX_EXCERPT_BYTES, MAX_REPLY_BYTES, type MonoMs } from "@postrider/core";
import { createExchange, type Exchange, type ExchangeStep } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const STARTED_AT = 500;
const TIMEOUT_MS = 1_000;

type Event =
  | { readonly kind: "head"; readonly status: number; readonly retryAfter: string | undefined }
  | { readonly kind: "body"; readonly chunk: Uint8Array }
  | { readonly kind: "end" }
  | { readonly kind: "fault"; readonly fault: (typeof FAULTS)[number] };

const STATUSES = fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 204, 299, 300, 503, 600, 999));
const CHUNKS = fc.oneof(
  fc.uint8Array({ maxLength: 3_000 }),
  fc.constantFrom(MAX_EXCERPT_BYTES, MAX_REPLY_BYTES - 1, MAX_REPLY_BYTES).map((length) => new Uint8Array(length)),
);
const EVENTS = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("head" as const),
      status: STATUSES,
      retryAfter: fc.option(fc.string(), { nil: undefined }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("body" as const), chunk: CHUNKS }) },
  { weight: 1, arbitrary: fc.constant({ kind: "end" as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("fault" as const), fault: fc.constantFrom(...FAULTS) }) },
);
const RUNS = fc.array(fc.tuple(EVENTS, fc.nat({ max: 400 })), { maxLength: 10 });

interface Taken {
  readonly event: Event;
  readonly afterMs: number;
  readonly step: ExchangeStep;
}

function take(exchange: Exchange, event: Event, now: MonoMs): ExchangeStep {
  if (event.kind === "head") return exchange.onHead(event, now);
  if (event.kind === "body") return exchange.onBody(event.chunk);
  return event.kind === "end" ? exchange.onEnd(now) : exchange.onFault(event.fault, now);
}

/** Reports the events one after the other, with this much time before each; ends with a timeout. */
function run(events: readonly (readonly [Event, number])[]): readonly Taken[] {
  const exchange = createExchange(TIMEOUT_MS, STARTED_AT as MonoMs);
  let afterMs = 0;
  return [...events, [{ kind: "fault", fault: "timeout" }, 0] as const].map(([event, waitedMs]) => {
    afterMs += waitedMs;
    return { event, afterMs, step: take(exchange, event, (STARTED_AT + afterMs) as MonoMs) };
  });
}

/** The index of the step with this part; each exchange has exactly one. */
function only(taken: readonly Taken[], part: keyof ExchangeStep): number {
  const found = taken.flatMap(({ step }, index) => (step[part] === undefined ? [] : [index]));
  expect(found).toHaveLength(1);
  return found[0] ?? -1;
}

/** The head that counts: the first final one, in time and before any end. */
function countedHead(taken: readonly Taken[]): (Taken & { readonly event: Event & { kind: "head" } }) | undefined {
  for (const one of taken) {
    const { event, afterMs } = one;
    if (event.kind === "end" || event.kind === "fault") return undefined;
    if (event.kind === "body") continue;
    return afterMs <= TIMEOUT_MS && event.status <= 599 ? { ...one, event } : undefined;
  }
  return undefined;
}

function bytesUpTo(taken: readonly Taken[], index: number): Buffer {
  const head = taken.findIndex(({ event }) => event.kind === "head");
  const seen = taken.slice(head + 1, index + 1);
  return Buffer.concat(seen.flatMap(({ event }) => (event.kind === "body" ? [event.chunk] : [])));
}

describe("an exchange", () => {
  it("replies once and ends once, and the reply is never later than the end", () => {
    fc.assert(
      fc.property(RUNS, (events) => {
        const taken = run(events);
        expect(only(taken, "reply")).toBeLessThanOrEqual(only(taken, "connection"));
      }),
    );
  });

  it("is answered if a final head came in time and before any end, and silent otherwise", () => {
    fc.assert(
      fc.property(RUNS, (events) => {
        const taken = run(events);
        const reply = taken[only(taken, "reply")]?.step.reply;
        const head = countedHead(taken);
        expect(reply?.kind).toBe(head === undefined ? "silent" : "answered");
        if (head === undefined || reply?.kind !== "answered") return;
        const { status, retryAfter } = head.event;
        expect([reply.status, reply.afterMs, reply.retryAfter]).toEqual([status, head.afterMs, retryAfter]);
        expect("retryAfter" in reply).toBe(retryAfter !== undefined);
      }),
    );
  });

  it("names the fault of a silent reply: of the failure, of an answer that is none, or a timeout", () => {
    fc.assert(
      fc.property(RUNS, (events) => {
        const taken = run(events);
        const at = taken[only(taken, "reply")];
        if (at?.step.reply?.kind !== "silent") return;
        const { event, afterMs } = at;
        const ofHead = afterMs > TIMEOUT_MS ? "timeout" : "bad-response";
        const fault = event.kind === "fault" ? event.fault : event.kind === "head" ? ofHead : "bad-response";
        expect(at.step.reply).toEqual({ kind: "silent", fault, afterMs });
      }),
    );
  });

  it("replies at the head on success, otherwise as soon as the excerpt is full, or else at the end", () => {
    fc.assert(
      fc.property(RUNS, (events) => {
        const taken = run(events);
        const head = countedHead(taken);
        if (head === undefined) return;
        const index = only(taken, "reply");
        const reply = taken[index]?.step.reply;
        const isSuccess = head.event.status <= 299;
        expect(taken[index]?.event === head.event).toBe(isSuccess);
        if (reply?.kind !== "answered") return;
        const kept = isSuccess ? Buffer.alloc(0) : bytesUpTo(taken, index).subarray(0, MAX_EXCERPT_BYTES);
        expect(Buffer.from(reply.excerpt).equals(kept)).toBe(true);
        if (isSuccess || index === only(taken, "connection")) return;
        expect(kept).toHaveLength(MAX_EXCERPT_BYTES);
        expect(bytesUpTo(taken, index - 1).length).toBeLessThan(MAX_EXCERPT_BYTES);
      }),
    );
  });

  it("keeps the connection only after a complete success, renews it after another, and closes it once a reply has too many bytes", () => {
    fc.assert(
      fc.property(RUNS, (events) => {
        const taken = run(events);
        const end = taken[only(taken, "connection")];
        const head = countedHead(taken);
        const afterWhole = (head?.event.status ?? 0) <= 299 ? "keep" : "renew";
        expect(end?.step.connection).toBe(end?.event.kind === "end" && head !== undefined ? afterWhole : "drop");
        if (head === undefined) return;
        const readBefore = bytesUpTo(taken, only(taken, "connection") - 1).length;
        expect(readBefore).toBeLessThan(MAX_REPLY_BYTES);
        if (end?.event.kind === "body")
          expect(readBefore + end.event.chunk.length).toBeGreaterThanOrEqual(MAX_REPLY_BYTES);
      }),
    );
  });

  it("is over from its end on", () => {
    const exchange = createExchange(TIMEOUT_MS, STARTED_AT as MonoMs);
    expect(exchange.isOver()).toBe(false);
    exchange.onHead({ status: 200, retryAfter: undefined }, STARTED_AT as MonoMs);
    expect(exchange.isOver()).toBe(false);
    exchange.onEnd(STARTED_AT as MonoMs);
    expect(exchange.isOver()).toBe(true);
  });

  const started = () => createExchange(TIMEOUT_MS, STARTED_AT as MonoMs);
  const afterMs = (ms: number) => (STARTED_AT + ms) as MonoMs;

  it.each([
    [199, "bad-response"],
    [200, "success"],
    [299, "success"],
    [300, "failure"],
    [599, "failure"],
    [600, "bad-response"],
  ] as const)("reads the status %i as %s", (status, kind) => {
    const step = started().onHead({ status, retryAfter: undefined }, afterMs(10));
    const answered = { kind: "answered", status, afterMs: 10, excerpt: new Uint8Array() };
    const silent = { kind: "silent", fault: "bad-response", afterMs: 10 };
    if (kind === "bad-response") expect(step).toEqual({ reply: silent, connection: "drop" });
    else expect(step).toEqual(kind === "success" ? { reply: answered } : {});
  });

  it("takes a head at the very end of its time, and none later", () => {
    const head = { status: 204, retryAfter: undefined };
    expect(started().onHead(head, afterMs(TIMEOUT_MS))).toMatchObject({ reply: { kind: "answered" } });
    expect(started().onHead(head, afterMs(TIMEOUT_MS + 1))).toEqual({
      reply: { kind: "silent", fault: "timeout", afterMs: TIMEOUT_MS + 1 },
      connection: "drop",
    });
  });

  it("replies once the excerpt is full, not before and not again", () => {
    const exchange = started();
    exchange.onHead({ status: 503, retryAfter: "7" }, afterMs(10));
    expect(exchange.onBody(new Uint8Array(MAX_EXCERPT_BYTES - 1))).toEqual({});
    expect(exchange.onBody(Uint8Array.of(1, 2))).toMatchObject({
      reply: { kind: "answered", status: 503, retryAfter: "7", excerpt: { length: MAX_EXCERPT_BYTES } },
    });
    expect(exchange.onBody(Uint8Array.of(3))).toEqual({});
    expect(exchange.onEnd(afterMs(20))).toEqual({ connection: "renew" });
  });

  it("does not reply again for the body of a success", () => {
    const exchange = started();
    exchange.onHead({ status: 200, retryAfter: undefined }, afterMs(10));
    expect(exchange.onBody(new Uint8Array(MAX_EXCERPT_BYTES))).toEqual({});
  });
});
