// Where a delivery has several endpoints, or waits for several things, the explanation names each of them.

import { explain, type ExplainInput, type LaneStatus } from "@postrider/core";
import { lastSlot } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { at, destination, endpoint, endpointId, NOW, workspace } from "../builders.js";
import { deadRecord, failed, lane, MINUTE, record, withoutDueTime } from "./records.js";

const IN_TEN = at(NOW + 10 * MINUTE);
const URLS = ["https://a.example/", "https://b.example/"] as const;
const [A, B] = [endpointId(URLS[0]), endpointId(URLS[1])];
const TWO = workspace({ destinations: [destination({ endpoints: URLS.map((url) => endpoint({ url })) })] });

function explained(record: ExplainInput["record"], known: Partial<LaneStatus> = {}, settings = TWO) {
  return explain({ record, settings, lane: lane(known) }, NOW);
}

describe("a failed round of several endpoints", () => {
  const refusal = failed(404, { endpoint: A, verdict: "refused" });
  const failure = failed(500, { endpoint: B });
  const later = failed(502, { endpoint: B, round: 2, startedAt: at(NOW - MINUTE) });

  const waiting = { attempts: [refusal, failure, later], detail: "502", dueAt: IN_TEN };
  const backoff = { kind: "backoff", attempt: later, others: [refusal], holds: [], dueAt: IN_TEN };

  it("is told with the latest attempt of each, and which endpoint has refused it for good", () => {
    const endpoints = [{ endpoint: A, refused: true }];
    const { reasons, sentences } = explained(record({ ...waiting, endpoints }));
    expect(reasons).toEqual([{ ...backoff, leftOut: [A] }]);
    expect(sentences).toEqual([
      "It waits: https://b.example/ answered 502 at 2026-01-31T11:59:00.000Z (round 2); https://a.example/ answered 404 at " +
        "2026-01-31T11:55:00.000Z (round 1), which is a final refusal: it gets no further attempt; the next round is due at " +
        "2026-01-31T12:10:00.000Z (in 10 min 0 s).",
    ]);
  });

  it("is told with a refusal that is not final, and with what would make it so", () => {
    const endpoints = [{ endpoint: A, refused: false, refusedAt: at(NOW - 5 * MINUTE) }];
    const { reasons, sentences } = explained(record({ ...waiting, endpoints }));
    expect(reasons).toEqual([{ ...backoff, leftOut: [] }]);
    expect(sentences).toEqual([
      "It waits: https://b.example/ answered 502 at 2026-01-31T11:59:00.000Z (round 2); https://a.example/ answered 404 at " +
        "2026-01-31T11:55:00.000Z (round 1), which is a refusal; the next round is due at 2026-01-31T12:10:00.000Z (in 10 min 0 s)." +
        " A further refusal is final if the endpoint takes other messages meanwhile.",
    ]);
  });

  it("is told with the pauses that only some of them asked for", () => {
    const attempts = [failed(429, { endpoint: A }), failure];
    const holds = [{ endpoint: A, until: IN_TEN }];
    const one = explained(record({ attempts, detail: "500", dueAt: IN_TEN }), { endpointHolds: holds });
    expect(one.reasons).toMatchObject([{ kind: "backoff", attempt: failure, others: [attempts[0]], holds }]);
    expect(one.sentences[0]).toContain(
      "; https://a.example/ asked by Retry-After for a pause until 2026-01-31T12:10:00.000Z; the next round",
    );
    const endpointHolds = [...holds, { endpoint: B, until: IN_TEN }];
    const both = explained(record({ attempts, detail: "500", dueAt: IN_TEN }), { endpointHolds });
    expect(both.reasons).toMatchObject([{ kind: "endpoint-holds" }, { kind: "backoff", holds: [] }]);
  });

  it("leaves out an endpoint whose latest attempt succeeded, and the earlier ones of each", () => {
    const success = failed(200, { endpoint: A, round: 2, verdict: "success" });
    const { reasons } = explained(
      record({ attempts: [refusal, failure, success, later], detail: "502", dueAt: IN_TEN }),
    );
    expect(reasons).toMatchObject([{ attempt: later, others: [] }]);
    const late = explained(record({ attempts: [later, failure, refusal], detail: "502", dueAt: IN_TEN }));
    expect(late.reasons).toMatchObject([{ attempt: later, others: [refusal] }]);
  });

  it("is told of a delivery that has expired", () => {
    const first = { ...refusal, startedAt: at(NOW - 240 * MINUTE) };
    const last = { ...later, startedAt: at(NOW - MINUTE / 2) };
    const { reasons, sentences } = explained(deadRecord({ reason: "expired", detail: "502", attempts: [first, last] }));
    expect(reasons).toMatchObject([{ kind: "expired", attempt: last, others: [first], isCutShort: false }]);
    expect(sentences[0]).toContain(
      "https://a.example/ answered 404 at 2026-01-31T08:00:00.000Z (round 1), which is a refusal",
    );
  });
});

describe("a rate limit", () => {
  const rate = { perSecond: 1, burst: 1, left: 0, nextAt: IN_TEN };

  it("is named beside what an operator has to end", () => {
    const off = workspace({ destinations: [destination({ enabled: false })] });
    expect(explained(record(), { rate }, off).reasons).toEqual([
      { kind: "off" },
      { kind: "rate-limit", nextAt: IN_TEN },
    ]);
  });

  it("is named only if the delivery would wait for it longer than for its own time", () => {
    const attempts = [failed()];
    const kinds = (dueAt: number) =>
      explained(record({ attempts, dueAt: at(dueAt) }), { rate }).reasons.map(({ kind }) => kind);
    expect(kinds(IN_TEN)).toEqual(["backoff"]);
    expect(kinds(IN_TEN - 1)).toEqual(["backoff", "rate-limit"]);
    expect(explained(record({ attempts, dueAt: at(IN_TEN - 1) }), { rate }).nextAttemptAt).toBe(IN_TEN);
    expect(explained(withoutDueTime(record()), { rate }).nextAttemptAt).toBe(IN_TEN);
  });
});

describe("a delivery that has expired before the end of its window", () => {
  const cut = deadRecord({
    reason: "expired",
    detail: "503",
    attempts: [failed(503, { startedAt: at(NOW - 300 * MINUTE) })],
  });

  it.each<[LaneStatus["mode"], string]>([
    ["held", " It is held now, since nearly all recent attempts failed."],
    ["refusing", " It is held now, since its receiver refuses whatever it gets."],
    ["blocked", " It is blocked now: our own address policy refuses every endpoint."],
    ["paused", ' It is paused now in the settings ("paused") and by an operator (postrider resume).'],
    ["off", ' It is off now ("enabled" is false).'],
    ["gone", " It is not in the settings now."],
  ])("is told with what keeps its lane from sending now: %s", (mode, words) => {
    const pausedBy = mode === "paused" ? (["settings", "operator"] as const) : [];
    const { reasons, sentences } = explained(cut, { mode, pausedBy });
    expect(reasons).toMatchObject([{ isCutShort: true, closedNow: { mode, pausedBy } }]);
    expect(sentences[0]?.endsWith(`or the schedule gave up.${words}`)).toBe(true);
  });

  it("says nothing of a lane that sends, or of none", () => {
    expect(explained(cut).reasons[0]).not.toHaveProperty("closedNow");
    expect(explain({ record: cut, settings: TWO }, NOW).reasons[0]).not.toHaveProperty("closedNow");
  });

  it("was not cut short if no retry after its last attempt fitted into the window", () => {
    const first = failed(503, { startedAt: at(NOW - 240 * MINUTE) });
    const { delivery } = TWO;
    const settings = { ...TWO, delivery: { ...delivery, firstRetryMs: 20 * MINUTE } };
    const { until } = lastSlot(delivery, first.startedAt);
    const dead = (startedAt: number) =>
      deadRecord({
        reason: "expired",
        attempts: [first, failed(503, { round: 2, startedAt: at(startedAt), durationMs: 5 })],
      });
    const cutShort = (startedAt: number) => explain({ record: dead(startedAt), settings }, NOW).reasons[0];
    expect(cutShort(until - 20 * MINUTE - 5)).toMatchObject({ isCutShort: true });
    expect(cutShort(until - 20 * MINUTE - 4)).toMatchObject({ isCutShort: false });
    const slower = failed(500, { round: 2, endpoint: B, startedAt: at(until - 20 * MINUTE - 5), durationMs: 6 });
    const quicker = { ...slower, endpoint: A, durationMs: 5 };
    const both = deadRecord({ reason: "expired", detail: "500", attempts: [first, slower, quicker] });
    expect(explain({ record: both, settings }, NOW).reasons[0]).toMatchObject({ attempt: quicker, isCutShort: false });
  });
});

describe("a delivery for which its lane had no room", () => {
  it("is told with what keeps its lane from sending now", () => {
    const full = deadRecord({ reason: "lane-full" });
    const { reasons, sentences } = explained(full, { mode: "held" });
    expect(reasons).toEqual([{ kind: "lane-full", closedNow: { mode: "held", pausedBy: [] } }]);
    expect(sentences[0]).toContain(
      "as a lane may have. It is held now, since nearly all recent attempts failed. Replay it",
    );
    expect(explained(full).reasons).toEqual([{ kind: "lane-full" }]);
  });
});
