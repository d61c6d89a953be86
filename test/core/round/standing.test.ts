import type { EpochMs, Reply } from "@postrider/core";
import { afterReply, type HeardReply, isRefusing, NO_STANDING, type Standing } from "@postrider/core/engine";
import { replies } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MAX_USUAL_REFUSALS,
  REFUSING_FOR_MS,
  REFUSING_MESSAGES,
  REFUSING_MESSAGES_AT_ONCE,
  REFUSING_TIMES_USUAL,
  SUCCESS_NOTED_MS,
} from "../../../packages/core/src/limits.js";
import { answered, at, NOW, silent } from "../builders.js";

interface Heard extends Partial<HeardReply> {
  readonly reply: Reply;
  readonly afterMs?: number;
}

let messages = 0;

/** The standing after some replies, each to the first attempt of another message unless it says otherwise. */
function after(heard: readonly Heard[], before: Standing = NO_STANDING): Standing {
  return heard.reduce((known, { afterMs = 0, ...one }) => {
    messages += 1;
    return afterReply(known, { messageId: `m${String(messages)}`, isFirst: true, ...one }, at(NOW + afterMs));
  }, before);
}

const refusals = (count: number, everyMs = 0): readonly Heard[] =>
  Array.from({ length: count }, (_, index) => ({ reply: answered(404), afterMs: index * everyMs }));
const taken: Heard = { reply: answered(200) };

const LATER = at(NOW + REFUSING_FOR_MS);

describe("an endpoint", () => {
  it("refuses whatever it gets once it has refused a few messages for a while, and taken none", () => {
    const some = after(refusals(REFUSING_MESSAGES, 1));
    expect(isRefusing(some, LATER)).toBe(true);
    expect(isRefusing(some, at(LATER - 1))).toBe(false);
    expect(isRefusing(after(refusals(REFUSING_MESSAGES - 1, 1)), at(LATER + 999_000))).toBe(false);
  });

  it("refuses whatever it gets at once after very many", () => {
    expect(isRefusing(after(refusals(REFUSING_MESSAGES_AT_ONCE)), NOW)).toBe(true);
    expect(isRefusing(after(refusals(REFUSING_MESSAGES_AT_ONCE - 1)), NOW)).toBe(false);
  });

  it("does not once it has taken a message", () => {
    const standing = after([...refusals(REFUSING_MESSAGES), { ...taken, afterMs: 5 }]);
    expect(standing).toMatchObject({ succeededAt: at(NOW + 5), refused: 0, refusedSince: undefined });
    expect(isRefusing(standing, LATER)).toBe(false);
  });

  it("that refuses most of what it gets has to refuse many times as much in a row", () => {
    const four = [...refusals(4), taken];
    const usual = after(Array.from({ length: 30 }, () => four).flat());
    expect(usual.usualRefusals).toBeCloseTo(4, 0);
    const least = Math.ceil(REFUSING_TIMES_USUAL * usual.usualRefusals);
    expect(isRefusing(after(refusals(least - 1), usual), LATER)).toBe(false);
    expect(isRefusing(after(refusals(least), usual), LATER)).toBe(true);
  });

  it("that has refused everything for a time is soon judged as before again", () => {
    const storm = after([taken, ...refusals(100_000), taken]);
    expect(storm.usualRefusals).toBeLessThanOrEqual(MAX_USUAL_REFUSALS);
    expect(
      after(
        Array.from({ length: 40 }, () => taken),
        storm,
      ).usualRefusals,
    ).toBe(0);
  });

  it("is judged by first attempts: what was refused before is mostly refused again", () => {
    const again = Array.from({ length: 99 }, (): Heard => ({ reply: answered(404), isFirst: false }));
    expect(after(again)).toBe(NO_STANDING);
  });

  it("counts a message once in a row, as when an operator replays it", () => {
    const replays = Array.from({ length: 99 }, (): Heard => ({ reply: answered(404), messageId: "bad" }));
    expect(after(replays)).toMatchObject({ refused: 1, lastRefused: "bad" });
  });

  it.each([413, 422])("does not count a %i, which speaks of one body", (status) => {
    expect(after([{ reply: answered(status) }])).toBe(NO_STANDING);
  });

  it("counts neither failures nor local faults, nor what our own address policy refuses", () => {
    const others = [answered(503), silent("timeout"), silent("local"), silent("forbidden-address")];
    expect(after(others.map((reply) => ({ reply })))).toBe(NO_STANDING);
  });

  it("makes no new object for most successes", () => {
    const once = after([taken]);
    expect(after([{ ...taken, afterMs: SUCCESS_NOTED_MS - 1 }], once)).toBe(once);
    expect(after([{ ...taken, afterMs: SUCCESS_NOTED_MS }], once).succeededAt).toBe(NOW + SUCCESS_NOTED_MS);
  });

  it("is never said to have succeeded later than it did, nor to refuse after a success", () => {
    const heard = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.boolean(), replies(), fc.nat(2_000)), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(heard, (some) => {
        let [now, standing, succeededAt] = [NOW, NO_STANDING, undefined as EpochMs | undefined];
        for (const [messageId, isFirst, reply, ms] of some) {
          now = at(now + ms);
          standing = afterReply(standing, { messageId, isFirst, reply }, now);
          const isSuccess = reply.kind === "answered" && reply.status >= 200 && reply.status <= 299;
          if (isSuccess) succeededAt = now;
          expect(standing.succeededAt ?? 0).toBeLessThanOrEqual(succeededAt ?? 0);
          expect(standing.succeededAt === undefined).toBe(succeededAt === undefined);
          if (isSuccess) expect(isRefusing(standing, at(now + 9_999))).toBe(false);
        }
      }),
    );
  });
});
