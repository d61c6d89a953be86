// An explanation names what holds a delivery, or what ended it; it tells when the next attempt can be, and shows no key.

import { type DeliveryReason, type DeliveryRecord, explain, type ExplainInput, type LaneStatus } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { at, destination, endpoint, endpointId, NOW, workspace } from "../builders.js";
import { deadRecord, failed, HOOK, lane, MINUTE, record, withoutDueTime } from "./records.js";

const HOUR = 60 * MINUTE;
const IN_TEN = at(NOW + 10 * MINUTE);

function explained(record: ExplainInput["record"], changes: Partial<Omit<ExplainInput, "record">> = {}) {
  return explain({ settings: workspace(), ...changes, record }, NOW);
}

function kindsOf(reasons: readonly DeliveryReason[]): readonly string[] {
  return reasons.map(({ kind }) => kind);
}

describe("the explanation of a delivered delivery", () => {
  it("names the attempt whose success came first, and no next attempt", () => {
    const late = failed(200, { verdict: "success", startedAt: at(NOW - 3_000), durationMs: 2_000 });
    const first = failed(204, { verdict: "success", startedAt: at(NOW - 2_500), durationMs: 10 });
    const { reasons, sentences, nextAttemptAt, windowEndsAt } = explained(
      deadRecord({ state: "delivered", attempts: [failed(), late, first] }),
    );
    expect(reasons).toEqual([{ kind: "delivered", attempt: first }]);
    expect(sentences[0]).toContain("https://example.com/hook answered 204 at 2026-01-31T11:59:57.500Z");
    expect([nextAttemptAt, windowEndsAt]).toEqual([undefined, undefined]);
  });

  it("stands without an attempt whose record is gone", () => {
    expect(explained(deadRecord({ state: "delivered" })).sentences).toEqual(["It was delivered."]);
  });
});

describe("the explanation of a dead delivery", () => {
  it("names the attempt that decided: of the last round, the one that the detail tells", () => {
    const first = failed(500, { startedAt: at(NOW - 4 * HOUR) });
    const decided = failed(502, { round: 2, startedAt: at(NOW - MINUTE / 2) });
    const other = failed(503, { round: 2, startedAt: at(NOW - MINUTE / 4), endpoint: endpointId("https://other/") });
    const { reasons, sentences } = explained(
      deadRecord({ reason: "expired", detail: "502", attempts: [first, decided, other] }),
    );
    expect(reasons).toEqual([
      { kind: "expired", attempt: decided, others: [other], windowEndsAt: NOW, isCutShort: false },
    ]);
    expect(sentences).toEqual([
      "It is dead: no attempt succeeded within its retry window, which ended at 2026-01-31T12:00:00.000Z; the last: " +
        "https://example.com/hook answered 502 at 2026-01-31T11:59:30.000Z (round 2); https://other/ answered 503 at 2026-01-31T11:59:45.000Z (round 2).",
    ]);
  });

  it("names the last attempt if none has the result that the detail tells", () => {
    const only = failed(500);
    const { reasons } = explained(deadRecord({ reason: "expired", detail: "502", attempts: [only] }));
    expect(reasons[0]).toMatchObject({ attempt: only });
  });

  it("says that none was made at the end of the window", () => {
    const attempts = [failed(503, { startedAt: at(NOW - 5 * HOUR) })];
    const { reasons, sentences } = explained(deadRecord({ reason: "expired", detail: "503", attempts }));
    expect(reasons[0]).toMatchObject({ kind: "expired", isCutShort: true });
    expect(sentences[0]).toContain("None was made at the end of the window");
  });

  it("says that none was made at all", () => {
    const { reasons, sentences } = explained(deadRecord({ reason: "expired" }));
    expect(reasons).toEqual([{ kind: "expired", others: [], isCutShort: true }]);
    expect(sentences[0]).toMatch(/^It is dead: no attempt succeeded within its retry window\. None/);
  });

  it("names the last refusal of each endpoint", () => {
    const other = failed(410, { endpoint: endpointId("https://other.example/?key=abc"), verdict: "refused" });
    const refused = failed(404, { verdict: "refused" });
    const { reasons, sentences } = explained(
      deadRecord({ reason: "refused", detail: "404", attempts: [failed(503), other, refused] }),
    );
    expect(reasons).toEqual([{ kind: "refused", attempts: [other, refused], isFinal: true }]);
    expect(sentences[0]).toContain("https://other.example/?key=*** answered 410");
    expect(sentences[0]).not.toContain("abc");
  });

  it("goes by the rounds where a clock that was set back has put the starts into another order", () => {
    const first = failed(401, { verdict: "refused", startedAt: at(NOW - HOUR) });
    const last = failed(404, { verdict: "refused", round: 2, startedAt: at(NOW - 2 * HOUR) });
    const refused = explained(deadRecord({ reason: "refused", detail: "404", attempts: [last, first] }));
    expect(refused.reasons).toMatchObject([{ kind: "refused", attempts: [last] }]);
    const expired = explained(deadRecord({ reason: "expired", detail: "404", attempts: [last, first] }));
    expect(expired.reasons).toMatchObject([{ attempt: last, windowEndsAt: NOW + 3 * HOUR, isCutShort: true }]);
  });

  it.each<[string, DeliveryRecord["endpoints"], boolean]>([
    ["each refused for good", [{ endpoint: HOOK, refused: true }], true],
    ["some refused until the window ended", [{ endpoint: HOOK, refused: false, refusedAt: NOW }], false],
  ])("says of endpoints that %s whether that was final", (_what, endpoints, isFinal) => {
    const attempts = [failed(404, { verdict: "refused" })];
    const { reasons } = explained(deadRecord({ reason: "refused", detail: "404", attempts, endpoints }));
    expect(reasons).toMatchObject([{ kind: "refused", isFinal }]);
  });

  it("stands without the records of the refusals", () => {
    expect(explained(deadRecord({ reason: "refused", detail: "404" })).sentences[0]).toContain(
      "every endpoint refused",
    );
  });

  it.each([
    [{ reason: "refused", detail: "forbidden-address" }, "never-allowed", "network.allow"],
    [{ reason: "lane-full" }, "lane-full", "as many unfinished deliveries"],
    [{ reason: "purged" }, "purged", "deleted or suppressed"],
    [{ reason: "destination-removed" }, "destination-removed", "removed from the settings"],
    [{}, "expired", "no attempt succeeded"],
  ] as const)("tells a death of %o", (changes, kind, words) => {
    const { reasons, sentences } = explained(deadRecord(changes));
    expect(kindsOf(reasons)).toEqual([kind]);
    expect(sentences[0]).toContain(words);
  });
});

describe("the explanation of a delivery that waits", () => {
  it("tells the failed attempt, when the next round is due, and when the window ends", () => {
    const attempt = failed(503);
    const { reasons, sentences, nextAttemptAt, windowEndsAt } = explained(
      record({ attempts: [attempt], detail: "503", dueAt: IN_TEN }),
      { lane: lane() },
    );
    expect(reasons).toEqual([{ kind: "backoff", attempt, others: [], leftOut: [], holds: [], dueAt: IN_TEN }]);
    expect(sentences).toEqual([
      "It waits: https://example.com/hook answered 503 at 2026-01-31T11:55:00.000Z (round 1); the next round is due at " +
        "2026-01-31T12:10:00.000Z (in 10 min 0 s).",
    ]);
    expect([nextAttemptAt, windowEndsAt]).toEqual([IN_TEN, at(attempt.startedAt + 4 * HOUR)]);
  });

  it("tells a fault in place of an answer", () => {
    const attempts = [failed(0, { result: { kind: "silent", fault: "timeout" } })];
    expect(explained(record({ attempts, dueAt: IN_TEN })).sentences[0]).toContain("failed with timeout");
  });

  it("tells when it is due without a failed round", () => {
    const { reasons, nextAttemptAt, windowEndsAt } = explained(record({ dueAt: at(NOW + 2 * HOUR) }));
    expect(reasons).toEqual([{ kind: "not-due", dueAt: at(NOW + 2 * HOUR) }]);
    expect([nextAttemptAt, windowEndsAt]).toEqual([at(NOW + 2 * HOUR), undefined]);
  });

  it.each([
    [30_000, "in 30.0 s"],
    [90 * MINUTE, "in 1 h 30 min"],
  ])("says how far off %i ms are", (ms, words) => {
    expect(explained(record({ dueAt: at(NOW + ms) })).sentences[0]).toContain(words);
  });

  it("names the settings that do not have its destination, and when it ends", () => {
    const { reasons, nextAttemptAt } = explained(record(), {
      settings: workspace({ destinations: [] }),
      lane: lane({ endpointHolds: [{ endpoint: HOOK, until: IN_TEN }] }),
    });
    expect(reasons).toEqual([{ kind: "not-in-settings", endsAt: at(NOW - 10 * MINUTE + 168 * HOUR) }]);
    expect(nextAttemptAt).toBeUndefined();
  });

  it("tells each of several reasons, those that an operator ends first", () => {
    const { reasons, sentences, nextAttemptAt } = explained(record({ attempts: [failed()], dueAt: IN_TEN }), {
      settings: workspace({ destinations: [destination({ enabled: false, paused: true })] }),
      lane: lane({
        pausedBy: ["operator"],
        backoff: { kind: "held", probes: 2, nextProbeAt: IN_TEN },
        endpointHolds: [{ endpoint: HOOK, until: IN_TEN }],
      }),
    });
    expect(kindsOf(reasons)).toEqual(["off", "paused", "held", "endpoint-holds", "backoff"]);
    expect(sentences).toHaveLength(5);
    expect(sentences[1]).toContain('in the settings ("paused") and by an operator');
    expect(nextAttemptAt).toBeUndefined();
  });

  it("tells that an operator has paused it", () => {
    const { reasons } = explained(record(), { lane: lane({ pausedBy: ["operator"] }) });
    expect(reasons).toEqual([{ kind: "paused", by: ["operator"] }]);
  });

  it("tells since when its destination is held, why, and when the next probe is", () => {
    const backoff = { kind: "held", since: at(NOW - HOUR), detail: "503", probes: 1, nextProbeAt: IN_TEN } as const;
    const { sentences, nextAttemptAt } = explained(record(), { lane: lane({ mode: "held", backoff }) });
    expect(sentences[0]).toContain("held since 2026-01-31T11:00:00.000Z");
    expect(sentences[0]).toContain("the last with 503; the next probe is at 2026-01-31T12:10:00.000Z (in 10 min 0 s)");
    expect(nextAttemptAt).toBe(IN_TEN);
  });

  it("tells that its destination is blocked, and what to do", () => {
    const backoff = { kind: "blocked", probes: 0, nextProbeAt: at(NOW - 1) } as const;
    const { sentences, nextAttemptAt } = explained(record(), { lane: lane({ mode: "blocked", backoff }) });
    expect(sentences[0]).toContain("the next probe is due now. Allow the range in network.allow");
    expect(nextAttemptAt).toBe(NOW);
  });

  it("tells the first end of the pauses that all its endpoints asked for", () => {
    const urls = ["https://a.example/", "https://b.example/", "https://c.example/", "no url"];
    const settings = workspace({ destinations: [destination({ endpoints: urls.map((url) => endpoint({ url })) })] });
    const [first, second, third] = urls.map(endpointId);
    const hold = (one: typeof first, until: number) => ({ endpoint: one ?? HOOK, until: at(until) });
    const endpoints = [{ endpoint: third ?? HOOK, refused: true }];
    const held = lane({ endpointHolds: [hold(first, NOW + HOUR), hold(second, NOW + MINUTE), hold(HOOK, NOW + 1)] });
    const { reasons, nextAttemptAt } = explained(record({ endpoints }), { settings, lane: held });
    expect(reasons).toEqual([
      { kind: "endpoint-holds", holds: held.endpointHolds.slice(0, 2), until: at(NOW + MINUTE) },
    ]);
    expect(nextAttemptAt).toBe(NOW + MINUTE);

    const onlyOne = lane({ endpointHolds: [hold(first, NOW + HOUR)] });
    expect(kindsOf(explained(record({ endpoints }), { settings, lane: onlyOne }).reasons)).toEqual(["due"]);
  });

  it.each<readonly [string, Partial<LaneStatus>, string, number]>([
    ["the rate", { rate: { perSecond: 1, burst: 1, left: 0, nextAt: at(NOW + 900) } }, "rate-limit", NOW + 900],
    ["nothing, if the rate allows it", { rate: { perSecond: 1, burst: 1, left: 1, nextAt: NOW } }, "due", NOW],
    ["its turn", { inFlight: 32 }, "lane-busy", NOW],
    ["nothing", {}, "due", NOW],
  ])("tells that it is due and waits for %s", (_what, changes, kind, nextAt) => {
    const { reasons, sentences, nextAttemptAt } = explained(record(), { lane: lane(changes) });
    expect(kindsOf(reasons)).toEqual([kind]);
    expect(sentences[0]).toMatch(/^It (?:is due|waits for the rate limit)/);
    expect(nextAttemptAt).toBe(nextAt);
  });

  it("says no more than it knows without a lane", () => {
    expect(kindsOf(explained(record()).reasons)).toEqual(["due"]);
    expect(explained(withoutDueTime(record())).nextAttemptAt).toBe(NOW);
  });
});

describe("the explanation of a claimed delivery", () => {
  it("says that it is under way", () => {
    const { reasons, nextAttemptAt } = explained(record({ state: "claimed", dueAt: IN_TEN }));
    expect(reasons).toEqual([{ kind: "in-flight", leaseUntil: IN_TEN }]);
    expect(nextAttemptAt).toBe(IN_TEN);
  });

  it("says that its process has not settled it, and what is in its way now", () => {
    const leaseUntil = at(NOW - MINUTE);
    const settings = workspace({ destinations: [destination({ paused: true })] });
    const { reasons, sentences } = explained(record({ state: "claimed", dueAt: leaseUntil }), { settings });
    expect(reasons).toEqual([
      { kind: "lease-ended", leaseUntil },
      { kind: "paused", by: ["settings"] },
    ]);
    expect(sentences[0]).toContain("as after a crash");
    expect(explained(record({ state: "claimed", dueAt: leaseUntil })).nextAttemptAt).toBe(NOW);
  });
});
