// Each reason as the sentence that an operator reads: what holds, and where there is something to do, what.

import { explain, type ExplainInput, type LaneBackoff, type LaneStatus } from "@postrider/core";
import { lastSlot } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { at, destination, endpoint, endpointId, laneId, NOW, workspace } from "../builders.js";
import { deadRecord, failed, HOOK, lane, MINUTE, record } from "./records.js";

const IN_TEN = at(NOW + 10 * MINUTE);
const FAILED = "https://example.com/hook answered 503 at 2026-01-31T11:55:00.000Z";
const CUT_SHORT =
  " None was made at the end of the window: the destination was held or closed, no process ran then, this machine had a fault, or the schedule gave up.";

function sentences(
  record: ExplainInput["record"],
  known: Partial<LaneStatus> = {},
  changes: Partial<ExplainInput["settings"]> = {},
): readonly string[] {
  return explain({ record, settings: { ...workspace(), ...changes }, lane: lane(known) }, NOW).sentences;
}

const backoff = (changes: Partial<LaneBackoff>): Partial<LaneStatus> => ({
  backoff: { kind: "held", probes: 1, nextProbeAt: IN_TEN, ...changes },
});

describe("the sentence of a delivery that has ended", () => {
  const refused = failed(404, { verdict: "refused" });
  const other = failed(410, { verdict: "refused", endpoint: endpointId("https://other.example/") });

  it.each<[string, ExplainInput["record"], string]>([
    [
      "delivered",
      deadRecord({ state: "delivered", attempts: [failed(200, { verdict: "success" })] }),
      "It was delivered: https://example.com/hook answered 200 at 2026-01-31T11:55:00.000Z.",
    ],
    [
      "expired without an attempt",
      deadRecord({ reason: "expired" }),
      `It is dead: no attempt succeeded within its retry window.${CUT_SHORT}`,
    ],
    [
      "refused",
      deadRecord({ reason: "refused", attempts: [refused, other] }),
      "It is dead: https://example.com/hook answered 404 at 2026-01-31T11:55:00.000Z; https://other.example/ answered 410 at 2026-01-31T11:55:00.000Z. These refusals are final: replay it once the receiver takes it.",
    ],
    [
      "refused by its only endpoint",
      deadRecord({ reason: "refused", attempts: [refused], endpoints: [{ endpoint: HOOK, refused: true }] }),
      "It is dead: https://example.com/hook answered 404 at 2026-01-31T11:55:00.000Z. This refusal is final: replay it once the receiver takes it.",
    ],
    [
      "refused until the end",
      deadRecord({
        reason: "refused",
        attempts: [refused],
        endpoints: [{ endpoint: HOOK, refused: false, refusedAt: NOW }],
      }),
      "It is dead: https://example.com/hook answered 404 at 2026-01-31T11:55:00.000Z. It was still refused when its retry window ended, or the schedule gave up: replay it once the receiver takes it.",
    ],
    [
      "refused, without records",
      deadRecord({ reason: "refused" }),
      "It is dead: every endpoint refused it. These refusals are final: replay it once the receiver takes it.",
    ],
    [
      "never allowed",
      deadRecord({ reason: "refused", detail: "forbidden-address" }),
      "It is dead: our own address policy refused every endpoint of the destination for a whole retry window. Allow the range in network.allow, or change the URL; then replay it.",
    ],
    [
      "for lack of room",
      deadRecord({ reason: "lane-full" }),
      "It is dead: the destination had as many unfinished deliveries as a lane may have. Replay it once the destination has caught up.",
    ],
    ["purged", deadRecord({ reason: "purged" }), "It is dead: a request deleted or suppressed a user of the call."],
    [
      "without a destination",
      deadRecord({ reason: "destination-removed" }),
      "It is dead: its destination was removed from the settings.",
    ],
  ])("says how: %s", (_what, record, sentence) => {
    expect(sentences(record)).toEqual([sentence]);
  });
});

describe("the sentence of a delivery that waits", () => {
  it.each<[string, Partial<LaneStatus>, string]>([
    ["its turn now", {}, "It is due, and goes next."],
    [
      "the rate limit",
      { rate: { perSecond: 1, burst: 1, left: 0, nextAt: at(NOW + 900) } },
      "It waits for the rate limit of its destination: the next may start at 2026-01-31T12:00:00.900Z (in 900 ms).",
    ],
    [
      "its lane",
      { inFlight: 32 },
      "It is due, and waits for its turn: 3 deliveries wait for the destination, which gets 32 at once.",
    ],
    [
      "the pause of an operator",
      { pausedBy: ["operator"] },
      "It waits: its destination is paused by an operator (postrider resume).",
    ],
    [
      "pauses that receivers asked for",
      { endpointHolds: [{ endpoint: HOOK, until: IN_TEN }] },
      "It waits: every endpoint asked by Retry-After for a pause; the first ends at 2026-01-31T12:10:00.000Z (in 10 min 0 s).",
    ],
    [
      "a probe, and nothing else is known",
      backoff({}),
      "It waits: its destination is held, since nearly all recent attempts failed; the next probe is at 2026-01-31T12:10:00.000Z (in 10 min 0 s).",
    ],
    [
      "a probe, since a failure",
      backoff({ since: at(NOW - MINUTE), detail: "503", nextProbeAt: NOW }),
      "It waits: its destination is held since 2026-01-31T11:59:00.000Z, since nearly all recent attempts failed, the last with 503; the next probe is due now.",
    ],
    [
      "a probe, since its receiver refuses everything",
      backoff({ kind: "refusing", detail: "404", nextProbeAt: NOW }),
      "It waits: its destination is held, since its receiver refuses whatever it gets, the last with 404; the next probe is due now.",
    ],
    [
      "the address policy",
      backoff({ kind: "blocked" }),
      "It waits: our own address policy refuses every endpoint of the destination; the next probe is at 2026-01-31T12:10:00.000Z (in 10 min 0 s). Allow the range in network.allow, or change the URL; postrider check --deep says where its name leads.",
    ],
  ])("names %s", (_what, known, sentence) => {
    expect(sentences(record(), known)).toEqual([sentence]);
  });

  it.each<[string, Partial<ExplainInput["settings"]>, string]>([
    [
      "has been taken out",
      { destinations: [] },
      "It waits: its destination is not in the settings. Put it back, or it ends at 2026-02-07T11:50:00.000Z.",
    ],
    [
      "is off",
      { destinations: [destination({ enabled: false })] },
      'It waits: its destination is off. Set "enabled" to true.',
    ],
    [
      "is paused",
      { destinations: [destination({ paused: true })] },
      'It waits: its destination is paused in the settings ("paused").',
    ],
  ])("names the settings, in which its destination %s", (_what, changes, sentence) => {
    expect(sentences(record(), {}, changes)).toEqual([sentence]);
  });

  it.each([
    [1, "in 1 ms"],
    [59_900, "in 59.9 s"],
    [60_000, "in 1 min 0 s"],
    [3_599_999, "in 59 min 59 s"],
    [3_600_000, "in 1 h 0 min"],
    [5_400_000, "in 1 h 30 min"],
  ])("says in its two largest units how far off %i ms are", (ms, words) => {
    const dueAt = at(NOW + ms);
    const instant = new Date(dueAt).toISOString();
    expect(sentences(record({ dueAt }))).toEqual([`It waits: it is due at ${instant} (${words}).`]);
    expect(sentences(record({ dueAt, attempts: [failed()] }))).toEqual([
      `It waits: ${FAILED} (round 1); the next round is due at ${instant} (${words}).`,
    ]);
  });

  it("tells a claim that lasts, and one that has ended", () => {
    expect(sentences(record({ state: "claimed", dueAt: IN_TEN }))).toEqual([
      "It is under way: a process has claimed it until 2026-01-31T12:10:00.000Z.",
    ]);
    expect(sentences(record({ state: "claimed", dueAt: NOW, attempts: [failed()] }))).toEqual([
      "A process claimed it until 2026-01-31T12:00:00.000Z and did not tell how it ended, as after a crash: it is sent again.",
    ]);
  });
});

describe("an explanation", () => {
  const of = (record: ExplainInput["record"], known: Partial<LaneStatus> = {}, settings = workspace()) =>
    explain({ record, settings, lane: lane(known) }, NOW);

  it("leaves out what does not apply", () => {
    expect(of(deadRecord({ state: "delivered" }))).toStrictEqual({
      reasons: [{ kind: "delivered" }],
      sentences: ["It was delivered."],
    });
    expect(of(deadRecord({ reason: "expired" })).reasons).toStrictEqual([
      { kind: "expired", others: [], isCutShort: true },
    ]);
    expect(Object.keys(of(record()))).toEqual(["reasons", "sentences", "nextAttemptAt"]);
    expect(Object.keys(of(record({ attempts: [failed()] }), { pausedBy: ["operator"] }))).toEqual([
      "reasons",
      "sentences",
      "windowEndsAt",
    ]);
  });

  it("reads the settings of its destination, not of another", () => {
    const settings = workspace({ destinations: [destination({ id: laneId("erp"), enabled: false }), destination()] });
    expect(of(record(), {}, settings).reasons).toEqual([{ kind: "due" }]);
  });

  it("has no next attempt in the past", () => {
    const overdue = record({ dueAt: at(NOW - MINUTE) });
    expect(of(overdue, backoff({ nextProbeAt: at(NOW - 1) })).nextAttemptAt).toBe(NOW);
  });

  it("counts an attempt at the first instant of the last slot as one at the end of the window", () => {
    const first = failed(500, { startedAt: at(NOW - 240 * MINUTE) });
    const { from } = lastSlot(workspace().delivery, first.startedAt);
    const dead = (startedAt: number) =>
      deadRecord({ reason: "expired", attempts: [first, failed(500, { round: 2, startedAt: at(startedAt) })] });
    expect(of(dead(from)).reasons).toMatchObject([{ isCutShort: false }]);
    expect(of(dead(from - 1)).reasons).toMatchObject([{ isCutShort: true }]);
  });

  it("names a failure of the last round, though one before it had the result that the detail tells", () => {
    const last = failed(500, { round: 2 });
    const success = failed(200, { round: 2, verdict: "success" });
    const { reasons } = of(record({ dueAt: IN_TEN, detail: "503", attempts: [failed(503), last, success] }));
    expect(reasons).toEqual([{ kind: "backoff", attempt: last, others: [], leftOut: [], holds: [], dueAt: IN_TEN }]);
  });

  it("names the refusals, though our own policy refused the address at last", () => {
    const refused = failed(404, { verdict: "refused" });
    const dead = deadRecord({ reason: "refused", detail: "forbidden-address", attempts: [refused] });
    expect(of(dead).reasons).toEqual([{ kind: "refused", attempts: [refused], isFinal: true }]);
  });

  it("counts the pauses of those endpoints only that have not refused it", () => {
    const urls = ["https://a.example/", "https://b.example/"];
    const settings = workspace({ destinations: [destination({ endpoints: urls.map((url) => endpoint({ url })) })] });
    const [a, b] = urls.map((url) => endpointId(url)) as [typeof HOOK, typeof HOOK];
    const held = { endpointHolds: [{ endpoint: b, until: IN_TEN }] };
    const kinds = (refused: readonly boolean[]) => {
      const endpoints = [a, b].map((endpoint, index) => ({ endpoint, refused: refused[index] === true }));
      return of(record({ endpoints }), held, settings).reasons.map(({ kind }) => kind);
    };
    expect(kinds([false, false])).toEqual(["due"]);
    expect(kinds([true, false])).toEqual(["endpoint-holds"]);
    expect(kinds([true, true])).toEqual(["due"]);
  });
});
