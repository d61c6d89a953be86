import type { EpochMs, MonoMs } from "@postrider/core";
import {
  type BatchAnswer,
  isolateCall,
  judgeAnswer,
  nextFlush,
  packBatch,
  readKeptCall,
  retryBatch,
  writeBatch,
} from "@postrider/core/batch";
import { fitsCapacity, type QueueState } from "@postrider/core/batch";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const NOW = Date.UTC(2026, 0, 31, 12) as EpochMs;

describe("a batch", () => {
  const call = (bytes: number): { json: string; bytes: number } => ({ json: "x".repeat(bytes), bytes });

  it("takes at most flushAt calls", () => {
    expect(packBatch([], 20)).toBe(0);
    expect(packBatch([call(10), call(10)], 20)).toBe(2);
    expect(packBatch([call(10), call(10), call(10)], 2)).toBe(2);
    expect(packBatch([call(10), call(10)], 1)).toBe(1);
  });

  it("ends before it would be too large", () => {
    const calls = Array.from({ length: 20 }, () => call(32_768));
    expect(packBatch(calls, 20)).toBe(15);
    const envelope = Buffer.byteLength(writeBatch([], NOW));
    const rest = 500_000 - envelope - 15 * 32_769;
    expect(packBatch([...calls.slice(0, 15), call(rest - 1)], 20)).toBe(16);
    expect(packBatch([...calls.slice(0, 15), call(rest)], 20)).toBe(15);
  });

  it("is JSON with the time at which it is sent and its calls in order", () => {
    const body = writeBatch([{ json: '{"n":1}' }, { json: '{"n":2}' }], NOW);
    expect(JSON.parse(body)).toEqual({ sentAt: "2026-01-31T12:00:00.000Z", batch: [{ n: 1 }, { n: 2 }] });
  });

  it("has the write key in it where it can have no header, whatever is in the key", () => {
    const body = writeBatch([{ json: '{"n":1}' }], NOW, 'wk"\n');
    expect(JSON.parse(body)).toEqual({ writeKey: 'wk"\n', sentAt: "2026-01-31T12:00:00.000Z", batch: [{ n: 1 }] });
  });

  it("is never larger than 500,000 bytes, never has more than flushAt calls, and is never empty", () => {
    const calls = fc.array(fc.integer({ min: 2, max: 32_768 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 60 }), (sizes, flushAt) => {
        const waiting = sizes.map(call);
        const count = packBatch(waiting, flushAt);
        const size = writeBatch(waiting.slice(0, count), NOW).length;
        const next = writeBatch(waiting.slice(0, count + 1), NOW).length;
        expect(count).toBeGreaterThanOrEqual(1);
        expect(count).toBeLessThanOrEqual(flushAt);
        expect(size).toBeLessThanOrEqual(500_000);
        // As many as fit: one more would exceed a limit, apart from the comma that the last call does not have.
        if (count < waiting.length && count < flushAt) expect(next).toBeGreaterThanOrEqual(500_000);
      }),
    );
  });
});

describe("the queue", () => {
  const policy = { flushAt: 20, flushAfterMs: 5_000 };
  const waiting = (changes: Partial<QueueState>): QueueState => ({
    calls: 1,
    bytes: 300,
    awaited: 0,
    firstQueuedAt: 1_000 as MonoMs,
    lastFlushAt: undefined,
    ...changes,
  });
  const at = (now: number, changes: Partial<QueueState> = {}): unknown =>
    nextFlush(waiting(changes), policy, now as MonoMs);

  it("has no next flush without calls", () => {
    expect(at(9_000, { calls: 0, awaited: 0 })).toEqual({ kind: "idle" });
  });

  it("is flushed once it has flushAt calls, or the bytes of a full batch", () => {
    expect(at(1_000, { calls: 20 })).toEqual({ kind: "now" });
    expect(at(1_000, { calls: 19 })).toEqual({ kind: "later", at: 6_000 });
    expect(at(1_000, { bytes: 500_000 })).toEqual({ kind: "now" });
    expect(at(1_000, { bytes: 499_999 })).toEqual({ kind: "later", at: 6_000 });
  });

  it("is flushed flushAfterMs after the later of the last flush and the first queued call", () => {
    expect(at(5_999)).toEqual({ kind: "later", at: 6_000 });
    expect(at(6_000)).toEqual({ kind: "now" });
    expect(at(1_000, { lastFlushAt: 500 as MonoMs })).toEqual({ kind: "later", at: 6_000 });
    expect(at(2_000, { lastFlushAt: 2_000 as MonoMs })).toEqual({ kind: "later", at: 7_000 });
  });

  it("is flushed at once when the host waits for a call", () => {
    expect(at(1_000, { awaited: 1 })).toEqual({ kind: "now" });
  });

  it("takes calls and bytes up to its capacity, equal allowed", () => {
    const most = { calls: 2, bytes: 100_000 };
    expect(fitsCapacity({ calls: 1, bytes: 90_000 }, most, 10_000)).toBe(true);
    expect(fitsCapacity({ calls: 1, bytes: 90_000 }, most, 10_001)).toBe(false);
    expect(fitsCapacity({ calls: 2, bytes: 0 }, most, 1)).toBe(false);
    expect(fitsCapacity({ calls: 1, bytes: 100_000 - 32_768 }, most)).toBe(true);
    expect(fitsCapacity({ calls: 1, bytes: 100_000 - 32_767 }, most)).toBe(false);
  });
});

describe("an answer", () => {
  const answered = (status: number, body = "", retryAfter?: string): BatchAnswer => ({
    kind: "answered",
    status,
    body,
    retryAfter,
  });
  const judge = (answer: BatchAnswer, calls = 3): unknown => judgeAnswer(answer, calls, NOW);

  it("of success accepts every call that it does not reject", () => {
    expect(judge(answered(200))).toEqual({ kind: "taken", rejected: new Map() });
    expect(judge(answered(204, "no JSON"))).toEqual({ kind: "taken", rejected: new Map() });
    const body = JSON.stringify({
      rejected: [
        { index: 1, code: "no-event", message: "event: expected the name of the event" },
        { index: 2, code: 7 },
        { index: 3, code: "beyond" },
      ],
    });
    expect(judge(answered(299, body))).toEqual({
      kind: "taken",
      rejected: new Map([
        [1, { code: "no-event", message: "event: expected the name of the event" }],
        [2, { code: "rejected", message: "The server refused this call." }],
      ]),
    });
  });

  it.each([
    "null",
    "[]",
    '{"rejected":{}}',
    '{"rejected":[1,null,{"index":"0"},{"code":"x"}]}',
    '{"rejected":[{"index":-1},{"index":0.5}]}',
  ])("of success with a list that makes no sense rejects nothing: %s", (body) => {
    expect(judge(answered(200, body))).toEqual({ kind: "taken", rejected: new Map() });
  });

  it("may reject the first call, and name other things than calls in its list", () => {
    const rejected = [null, "0", { index: "1" }, { index: 0, code: "no-event", message: "m" }];
    expect(judge(answered(200, JSON.stringify({ rejected })), 4)).toEqual({
      kind: "taken",
      rejected: new Map([[0, { code: "no-event", message: "m" }]]),
    });
  });

  it.each([408, 429, 500, 501, 503, 599])("of %i leads to a retry", (status) => {
    expect(judge(answered(status))).toEqual({
      kind: "again",
      objection: { code: String(status), message: `The server answered ${status}.` },
      waitMs: 0,
    });
  });

  it.each([300, 302, 400, 401, 404, 407, 409, 410, 413, 428, 430, 199, 0])("of %i is final", (status) => {
    expect(judge(answered(status))).toMatchObject({ kind: "refused", objection: { code: String(status) } });
  });

  it.each([300, 302, 399, 0])("of %i is told as a redirect", (status) => {
    expect(judge(answered(status))).toMatchObject({ objection: { message: expect.stringContaining("a redirect") } });
  });

  it.each(["<!doctype html><title>Sign in</title>", "\n <html>", '{"success":false}'])(
    "of success with a body that says otherwise leads to a retry: %s",
    (body) => {
      expect(judge(answered(200, body))).toMatchObject({ kind: "again", objection: { code: "not-taken" }, waitMs: 0 });
    },
  );

  it.each(["", "ok", '{"success":true}', '{"success":0}', "a < b"])(
    "of success with any other body is one: %s",
    (body) => {
      expect(judge(answered(202, body))).toEqual({ kind: "taken", rejected: new Map() });
    },
  );

  it("has the server's code and text, cut to 300 characters", () => {
    const body = JSON.stringify({ error: { code: "unknown-key", message: "x".repeat(400) } });
    expect(judge(answered(401, body))).toEqual({
      kind: "refused",
      objection: { code: "unknown-key", message: "x".repeat(300) },
    });
    expect(judge(answered(401, '{"error":{"code":"","message":1}}'))).toMatchObject({ objection: { code: "401" } });
  });

  it("may ask for a delay, in seconds or by a date, of at most five minutes", () => {
    expect(judge(answered(429, "", "7"))).toMatchObject({ waitMs: 7_000 });
    expect(judge(answered(503, "", new Date(NOW + 9_000).toUTCString()))).toMatchObject({ waitMs: 9_000 });
    expect(judge(answered(500, "", "86400"))).toMatchObject({ waitMs: 300_000 });
    expect(judge(answered(429, "", "soon"))).toMatchObject({ waitMs: 0 });
  });

  it.each([
    ["timeout", "The server did not answer in time."],
    ["network", "The server could not be reached."],
  ] as const)("that is missing leads to a retry: %s", (fault, message) => {
    expect(judge({ kind: "silent", fault })).toEqual({ kind: "again", objection: { code: fault, message }, waitMs: 0 });
  });
});

describe("a retry", () => {
  const policy = { maxRetries: 10, firstRetryMs: 500, maxRetryMs: 60_000 };

  it("comes after delays that double up to a limit, and that jitter only lengthens", () => {
    expect([1, 2, 3, 7, 8, 10].map((tries) => retryBatch(policy, tries, 0, 0))).toEqual([
      500, 1_000, 2_000, 32_000, 60_000, 60_000,
    ]);
    expect(retryBatch(policy, 1, 0, 0.999)).toBe(749);
  });

  it("waits for as long as the server asks, if that is longer", () => {
    expect(retryBatch(policy, 1, 7_000, 0.5)).toBe(7_000);
    expect(retryBatch(policy, 8, 7_000, 0)).toBe(60_000);
  });

  it("is given up after maxRetries", () => {
    expect(retryBatch(policy, 11, 0, 0)).toBeUndefined();
    expect(retryBatch({ ...policy, maxRetries: 0 }, 1, 0, 0)).toBeUndefined();
  });

  it("comes in [d, 1.5 d], and d never gets shorter", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (tries, draw) => {
        const afterMs = retryBatch(policy, tries, 0, draw)!;
        const base = Math.min(60_000, 500 * 2 ** (tries - 1));
        return afterMs >= base && afterMs <= base * 1.5;
      }),
    );
  });
});

describe("a batch that is refused as a whole", () => {
  it("is halved until one call stands alone", () => {
    expect(isolateCall({ calls: 2, takenLast: 9, refusedAt: 3 })).toEqual({ kind: "halve" });
  });

  it("of one call is sent again, unless other calls were taken since it was refused before", () => {
    expect(isolateCall({ calls: 1, takenLast: 9, refusedAt: undefined })).toEqual({ kind: "later" });
    expect(isolateCall({ calls: 1, takenLast: 9, refusedAt: 9 })).toEqual({ kind: "later" });
    expect(isolateCall({ calls: 1, takenLast: 9, refusedAt: 8 })).toEqual({ kind: "set-aside" });
  });
});

describe("a stored call", () => {
  it("can be sent as it was stored, with its size in UTF-8 bytes", () => {
    const json = '{"userId":"ü", "event":"e"}';
    expect(readKeptCall({ messageId: "m1", type: "track", json })).toEqual({
      messageId: "m1",
      type: "track",
      json,
      bytes: 28,
    });
  });

  const tooLarge = JSON.stringify({ text: "é".repeat(16_384) });

  it.each(["", "{", "null", "[]", '"{}"', "{},{}", tooLarge])(
    "cannot be sent if its text is not one call: %.40s",
    (json) => {
      expect(readKeptCall({ messageId: "m1", type: "track", json })).toBeUndefined();
    },
  );
});
