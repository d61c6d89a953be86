// An incident that is recorded, saved, read and replayed: every happening is equal, whatever the seed; with one other number
// in the policy, the replay says where the run departs.

import { destinationId, sourceId } from "@postrider/core";
import { createRelay, type Relay, type RelayEvent } from "@postrider/relay";
import { readTrace, replayTrace, type Trace } from "@postrider/relay/trace";
import { describe, expect, it } from "vitest";
import { playIncident, recordAudiences } from "./rig.js";

const DEFINITION = { kind: "audience", sendsAs: "identify", destinations: [destinationId("crm")] } as const;

describe("replayTrace", () => {
  it.each([1, 2, 3, 4])("replays every happening of incident %i", async (seed) => {
    const incident = await playIncident({ seed });
    const run = await replayTrace(await readTrace(incident.bytes), (ports) => createRelay(ports));
    expect(run.diverged?.story).toBeUndefined();
    expect(run.unplayed).toEqual([]);
    expect(run.happenings().map(({ event }) => shown(event))).toEqual(recordable(incident.events).map(shown));
    const kinds = new Set(incident.events.map(({ kind }) => kind));
    for (const kind of ["lane-held", "store-fault", "deletion-finished", "refused", "configured"]) {
      expect(kinds).toContain(kind);
    }
  });

  it.each([5, 6])("replays a ring that has wrapped, from its oldest whole segment (incident %i)", async (seed) => {
    const incident = await playIncident({ seed, calls: 160, maxBytes: 900_000, isBusy: true });
    const trace = await readTrace(incident.bytes);
    expect(trace.segments.length).toBeGreaterThan(1);
    expect(trace.segments[0]).toHaveProperty("state");
    // The lane stays held while one relay takes over from another.
    expect(incident.events.filter(({ kind }) => kind === "lane-held")).toHaveLength(1);
    const run = await replayTrace(trace, (ports) => createRelay(ports));
    expect(run.diverged?.story).toBeUndefined();
    const replayed = run.happenings().map(({ event }) => shown(event));
    expect(replayed.length).toBeGreaterThan(100);
    expect(new Set(incident.events.map(shown))).toEqual(new Set([...incident.events.map(shown), ...replayed]));
  });

  it.each([
    ["from its start", { seed: 1 }],
    ["from a relay that took over", { seed: 5, calls: 160, maxBytes: 900_000, isBusy: true }],
  ])("replays an incident on a store with a clock, %s", async (_, options) => {
    const storeAheadMs = 3_600_000;
    const incident = await playIncident({ ...options, storeAheadMs });
    const trace = await readTrace(incident.bytes);
    const run = await replayTrace(trace, (ports) => createRelay(ports));
    expect(run.diverged?.story).toBeUndefined();
    expect(run.unplayed).toEqual([]);
    expect(run.happenings().length).toBeGreaterThan(100);
    expect(trace.segments.map(({ parts }) => parts.clock)).toEqual(trace.segments.map(() => true));
  });

  it("replays an incident on a store with a board", async () => {
    const incident = await playIncident({ seed: 1, hasBoard: true });
    const trace = await readTrace(incident.bytes);
    const run = await replayTrace(trace, (ports) => createRelay(ports));
    expect(run.diverged?.story).toBeUndefined();
    expect(run.unplayed).toEqual([]);
    expect(run.happenings().length).toBeGreaterThan(100);
    expect(trace.segments.map(({ parts }) => parts.board)).toEqual(trace.segments.map(() => true));
    expect(questionsOf(trace)).toContain("store.board.beat");
  });

  it("tells the story of one delivery", async () => {
    const incident = await playIncident({ seed: 7, calls: 20 });
    const run = await replayTrace(await readTrace(incident.bytes), (ports) => createRelay(ports));
    const [first] = incident.events.filter((event) => event.kind === "delivered");
    const story = run.happenings(first?.delivery).map(({ event }) => (event as RelayEvent).kind);
    expect(story.at(0)).toBe("accepted");
    expect(story.at(-1)).toBe("delivered");
  });

  it("says where a run does less than the incident", async () => {
    const incident = await playIncident({ seed: 9, calls: 10, isBusy: true });
    const run = await replayTrace(await readTrace(incident.bytes), (ports) => {
      const relay = createRelay(ports);
      return { ...relay, start: () => undefined };
    });
    expect(run.diverged?.story).toMatch(/after the host called start: the incident .*; this run did nothing more[.]$/);
    expect(run.happenings()).toEqual([]);
  });

  it.each([
    ["createAudience", (relay: Relay) => relay.createAudience({ ...DEFINITION, name: "News" })],
    ["setAudienceDestinations", (relay: Relay) => relay.setAudienceDestinations("vip", [])],
    ["audiences", (relay: Relay) => relay.audiences()],
    ["audience", (relay: Relay) => relay.audience("vip")],
    ["requestDeletion", (relay: Relay) => relay.requestDeletion({ userIds: ["member-1"], regulation: "delete-only" })],
  ] as const)("replays a relay that has an audience, to its end, with a %s", async (_, ask) => {
    const trace = await readTrace(await recordAudiences(ask));
    const run = await replayTrace(trace, (ports) => createRelay(ports));
    expect(run.diverged?.story).toBeUndefined();
    expect(run.unplayed).toEqual([]);
    expect(run.turns).toBe(trace.segments[0]?.turns.length);
  });

  it("ends at a sync of an audience, and says so", async () => {
    const trace = await readTrace(await recordAudiences((relay) => relay.syncAudience("vip", ["u1"])));
    const run = await replayTrace(trace, (ports) => createRelay(ports));
    expect(run.diverged?.story).toBeUndefined();
    expect(run.unplayed).toEqual([expect.stringContaining("syncAudience")]);
  });

  it("ends at calls that are no JSON, and says so", async () => {
    const call: Record<string, unknown> = { type: "track", event: "Bought", userId: "u1" };
    const accept = (relay: Relay) =>
      relay.accept({ source: sourceId("site"), calls: [{ ...call, properties: { n: 1n } }] });
    const run = await replayTrace(await readTrace(await recordAudiences(accept)), (ports) => createRelay(ports));
    expect(run.diverged?.story).toBeUndefined();
    expect(run.unplayed).toEqual([
      expect.stringContaining("the host called accept, and what it gave is not in the trace"),
    ]);
  });

  it("replays the calls of a host that has changed its objects since", async () => {
    const call = { type: "track", event: "Bought", userId: "u1" };
    const accept = async (relay: Relay) => {
      const accepted = await relay.accept({ source: sourceId("site"), calls: [call] });
      expect(accepted.isOk()).toBe(true);
      call.event = "Bought a much longer name";
    };
    const trace = await readTrace(await recordAudiences(accept));
    expect(call.event).toContain("longer");
    const run = await replayTrace(trace, (ports) => createRelay(ports));
    expect(run.diverged?.story).toBeUndefined();
    expect(run.unplayed).toEqual([]);
  });

  it.each([
    ["retryWindowMs", 7_200_000, /dueAfter/],
    ["timeoutMs", 9_000, /http[.]send|timer/],
    ["firstRetryMs", 9_000, /store[.]commit/],
  ] as const)("says where a run with another %s departs", async (number, value, where) => {
    const incident = await playIncident({ seed: 8, calls: 40 });
    const run = await replayTrace(await readTrace(incident.bytes), (ports) => createRelay(ports), {
      change: (workspace) => ({ ...workspace, delivery: { ...workspace.delivery, [number]: value } }),
    });
    expect(run.diverged?.story).toMatch(
      /^At 2026-01-01T\d\d:\d\d:\d\d[.]\d{3}Z [(]segment 0, turn \d+[)], after .*: the incident /,
    );
    expect(run.diverged?.story).toMatch(where);
    expect(run.happenings().length).toBeLessThan(incident.events.length);
  });
});

function questionsOf({ segments }: Trace): readonly unknown[] {
  return segments.flatMap(({ turns }) => turns.flatMap(({ steps }) => steps.map((step) => step[2])));
}

/** As a trace shows it: without the values of queries, which are stand-ins there. */
/** Measurements are in no trace: it has the questions and answers that they are made of. */
function recordable(events: readonly RelayEvent[]): readonly RelayEvent[] {
  return events.filter(({ kind }) => kind !== "committed" && kind !== "claimed");
}

function shown(event: unknown): string {
  return JSON.stringify(event).replace(/[?][^"]*/g, "?");
}
