// What the doctor says of lanes, as the API shows them.

import { epochMs, type JsonObject } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { diagnoseLanes } from "../../../../packages/postrider/src/cli/doctor/diagnose-server.js";

const NOW = epochMs(Date.parse("2026-01-31T12:00:00.000Z"));
const IN_TWO_MINUTES = "2026-01-31T12:02:00.000Z";
const BEFORE = "2026-01-31T11:59:00.000Z";

function lane(changes: object = {}): JsonObject {
  const idle = { deliveries: 2, bytes: 100, nextDueAt: null, windowEndsAt: null, inFlight: 0, limit: 32 };
  return {
    ...{ destination: "crm", mode: "open", pausedBy: [], backoff: null, rate: null, endpointHolds: [] },
    ...{ ...idle, ...changes },
  };
}

function told(lanes: readonly JsonObject[], names?: readonly string[]): readonly string[] {
  const answer = { kind: "answered", status: 200, text: JSON.stringify({ lanes }) } as const;
  const findings = diagnoseLanes(answer, names === undefined ? undefined : new Set(names), NOW);
  return findings.map(({ kind, text }) => `${kind} ${text}`);
}

const backoff = (changes: object) => ({ kind: "held", since: null, detail: null, probes: 1, ...changes });

describe("the doctor says of a lane", () => {
  it.each<[string, object, string]>([
    [
      "that it is not in the settings",
      { mode: "gone" },
      "bad crm is not in the settings any more, and 2 deliveries wait for it",
    ],
    [
      "that an operator has paused it",
      { mode: "paused", pausedBy: ["settings", "operator"], deliveries: 1 },
      "open crm is paused by an operator, 1 delivery waits: end it by postrider resume",
    ],
    [
      "that it is held, with what failed last",
      { mode: "held", backoff: backoff({ detail: "503", nextProbeAt: IN_TWO_MINUTES }) },
      "bad crm is held: nearly all recent attempts failed, the last with 503, so that only probes are sent; the next probe is in 2 min 0 s",
    ],
    [
      "that its receiver refuses everything, with what it answers",
      { mode: "refusing", backoff: backoff({ kind: "refusing", detail: "404", nextProbeAt: IN_TWO_MINUTES }) },
      "bad crm is held: its receiver refuses whatever it gets, the last with 404, so that only probes are sent; the next probe is in 2 min 0 s",
    ],
    [
      "that it is held, and a probe is due",
      { mode: "held", backoff: backoff({ nextProbeAt: BEFORE }) },
      "bad crm is held: nearly all recent attempts failed, so that only probes are sent; the next probe is now",
    ],
    [
      "that it is blocked, and what to do",
      { mode: "blocked", backoff: backoff({ kind: "blocked", nextProbeAt: IN_TWO_MINUTES }) },
      "bad crm is blocked: our own address policy refuses every endpoint of it; the next probe is in 2 min 0 s. Allow the range in network.allow, or change the URL",
    ],
    [
      "that an endpoint asked for a pause",
      { endpointHolds: [{ endpoint: "https://a.example/", until: IN_TWO_MINUTES }] },
      "open https://a.example/ of crm asked by Retry-After for a pause, which ends in 2 min 0 s",
    ],
    [
      "that its rate limit is reached",
      { rate: { perSecond: 5, burst: 1, left: 0, nextAt: IN_TWO_MINUTES } },
      "open crm is at its rate limit of 5 a second: the next may start in 2 min 0 s",
    ],
  ])("%s", (_what, changes, finding) => {
    expect(told([lane(changes)])).toEqual([finding]);
  });

  it("nothing if it sends, if nothing waits for its rate, or if only the settings pause it", () => {
    const rate = (nextAt: string) => ({ perSecond: 5, burst: 1, left: 0, nextAt });
    const quiet = [
      lane(),
      lane({ rate: rate(IN_TWO_MINUTES), deliveries: 0 }),
      lane({ rate: rate(BEFORE) }),
      lane({ mode: "paused", pausedBy: ["settings"] }),
    ];
    expect(told(quiet)).toEqual([]);
  });

  it("nothing if another source is asked for, unless the settings do not have it", () => {
    const lanes = [
      lane({ destination: "ads", pausedBy: ["operator"] }),
      lane({ destination: "old", mode: "gone" }),
      lane({ pausedBy: ["operator"] }),
    ];
    const names = (lines: readonly string[]) => lines.map((line) => line.split(" ")[1]);
    expect(names(told(lanes, ["crm"]))).toEqual(["old", "crm"]);
    expect(names(told(lanes))).toEqual(["ads", "old", "crm"]);
  });
});

describe("the doctor says of a full lane", () => {
  const full = { deliveries: 1_000_000 };
  const START = "bad crm is full: 1,000,000 deliveries wait, and a further one dies at once (lane-full); ";

  it.each<[string, object, string]>([
    ["is held", { mode: "held" }, "it is held, and does not drain"],
    ["is not in the settings", { mode: "gone" }, "it is not in the settings, and does not drain"],
    [
      "is slow",
      { inFlight: 512, limit: 512 },
      "its receiver gets 512 at once, and answers too slowly for what comes in",
    ],
    [
      "has a rate limit",
      { rate: { perSecond: 5, burst: 1, left: 0, nextAt: IN_TWO_MINUTES } },
      "it sends as fast as its rate limit allows",
    ],
    ["sends", {}, "it drains"],
  ])("why it does not drain: it %s", (_what, changes, why) => {
    expect(told([lane({ ...full, ...changes })])).toContain(`${START}${why}`);
  });

  it("that it is full by its bytes too, and nearly so", () => {
    expect(told([lane({ bytes: 4_294_967_296 })])).toHaveLength(1);
    expect(told([lane({ deliveries: 990_000 })])).toHaveLength(1);
    expect(told([lane({ deliveries: 989_999, bytes: 4_252_017_000 })])).toEqual([]);
  });
});
