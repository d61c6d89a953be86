// A relay on recorded ports passes each request of the host to the record and to the relay, and each answer back. Another
// relay takes over when the recorder asks for it.

import type { RecordedSegment, RelayRecorder, SegmentOwner, SegmentStart } from "@postrider/core";
import type { Relay, RelayEvent, RelayOptions } from "@postrider/relay";
import { ok, okAsync, type ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import type { AssembledRelay } from "../../packages/relay/src/assemble-relay.js";
import { createRecordedRelay } from "../../packages/relay/src/create-relay.js";

type AskedRow = readonly [method: keyof Relay, args: readonly unknown[], recorded?: readonly unknown[]];

/** Each method that is answered later, with what the host gives it. The members of a sync are inputs of the record themselves. */
const ASKED: readonly AskedRow[] = [
  ["accept", [{ source: "website", calls: [] }]],
  ["createAudience", [{ name: "VIP" }]],
  ["setAudienceDestinations", ["vip", ["crm"]]],
  ["audiences", []],
  ["audience", ["vip"]],
  ["syncAudience", ["vip", ["u1"], { confirmRemove: 1 }], ["vip"]],
  ["requestDeletion", [{ userIds: ["u1"] }]],
  ["deletion", ["d1"]],
  ["deletionRequests", [{ limit: 3 }]],
  ["suppressed", [{ limit: 4 }]],
  ["replay", ["one"]],
  ["replayMany", [{ destination: "crm" }]],
  ["previewReplay", [{ states: ["dead"] }]],
  ["startReplay", [{ states: ["delivered"] }]],
  ["cancelReplay", ["job-1"]],
  ["replayJob", ["job-2"]],
  ["replayJobs", []],
  ["forget", ["crm"]],
  ["pause", ["crm"]],
  ["resume", ["crm"]],
  ["probe", ["crm"]],
  ["test", [{ destination: "mail" }]],
  ["explain", ["two"]],
  ["requests", ["two"]],
  ["delivery", ["three"]],
  ["deliveries", [{ limit: 5 }]],
  ["userData", [{ userId: "u2" }]],
  ["seen", [{ messageId: "m1" }]],
  ["stats", []],
  ["usage", []],
];

const LOOKED: readonly (keyof Relay)[] = ["lanes", "health", "workspace", "process"];

const SETTINGS = { number: 0 };

interface Segment {
  readonly start: SegmentStart;
  readonly owner: SegmentOwner;
  /** The requests and answers of the segment: `ask accept`. */
  readonly record: (readonly unknown[])[];
}

/** A recorded relay over relays that answer with their number, the method and what they were given. */
function open(changes: Partial<Record<keyof AssembledRelay, unknown>> = {}) {
  const segments: Segment[] = [];
  const acts: string[] = [];
  const openings: { readonly options: RelayOptions; readonly state: unknown }[] = [];
  const passed: RelayEvent[] = [];

  const recorder: RelayRecorder = {
    begin: (start, owner) => {
      const record: (readonly unknown[])[] = [];
      segments.push({ start, owner, record });
      const state = start.state && { ...start.state, isOfRecord: true };
      const through =
        (how: string) =>
        <T>(method: string, args: readonly unknown[], run: () => T): T => {
          record.push([how, method, ...args]);
          return run();
        };
      return {
        ports: { store: `store ${String(segments.length)}` } as unknown as RecordedSegment["ports"],
        state,
        ask: async (method, args, run) => through("ask")(method, args, run),
        tell: through("tell"),
        look: (run) => through("look")("", [], run),
        observe: (event) => void record.push(["event", event]),
      };
    },
  };

  const relays = (options: RelayOptions, state: unknown): AssembledRelay => {
    openings.push({ options, state });
    const number = openings.length;
    const answers = (method: string) => [
      method,
      (...args: readonly unknown[]): ResultAsync<unknown, never> => okAsync({ number, method, args }),
    ];
    const methods = Object.fromEntries(ASKED.map(([method]) => answers(method))) as object;
    const act = (what: string) => (): Promise<void> => Promise.resolve(void acts.push(`${what} ${String(number)}`));
    return {
      ...methods,
      configure: (next: unknown) => ok({ number, next }),
      start: () => void act("start")(),
      stop: act("stop"),
      retire: act("retire"),
      lanes: () => `lanes ${String(number)}`,
      health: () => ({ kind: "healthy", number }),
      workspace: () => ({ number }),
      process: () => `process ${String(number)}`,
      remember: () => ({ number }),
      ...changes,
    } as unknown as AssembledRelay;
  };

  const options = { workspace: SETTINGS, recorder, pollMs: 7, gatherMs: 0, store: "of the host" };
  const relay = createRecordedRelay(options as unknown as RelayOptions & { recorder: RelayRecorder }, {
    open: relays,
    passOn: (event) => passed.push(event),
  });
  const call = (method: string, args: readonly unknown[] = []): unknown =>
    (relay as unknown as Record<string, (...args: readonly unknown[]) => unknown>)[method]?.(...args);
  const renew = (): void => segments.at(-1)?.owner.renew();
  return { relay, segments, told: acts, opened: openings, passed, call, renew };
}

describe("a recorded relay", () => {
  it("has the methods of a relay, each of which is tested here", () => {
    const lifecycle = ["configure", "start", "stop"];
    const tested = [...ASKED.map(([method]) => method), ...LOOKED, ...lifecycle];
    expect(Object.keys(open().relay).toSorted()).toEqual(tested.toSorted());
  });

  it.each(ASKED.map((row) => ({ method: row[0], args: row[1], recorded: row[2] ?? row[1] })))(
    "records $method, asks the relay and answers what it answers",
    async ({ method, args, recorded }) => {
      const { call, segments } = open();
      const answer = await (call(method, args) as ResultAsync<unknown, never>);
      expect(answer._unsafeUnwrap()).toEqual({ number: 1, method, args });
      expect(segments[0]?.record).toEqual([["ask", method, ...recorded]]);
    },
  );

  it.each(LOOKED)("answers %s at once, which is not recorded", (method) => {
    const { call, segments } = open();
    expect(JSON.stringify(call(method))).toMatch(/1/);
    expect(segments[0]?.record).toEqual([["look", ""]]);
  });

  it("records settings as a workspace, also if they were checked before", () => {
    const { call, segments } = open();
    const checked = { kind: "checked", workspace: { sources: [] } };
    expect(call("configure", [{ destinations: [] }])).toEqual(ok({ number: 1, next: { destinations: [] } }));
    expect(call("configure", [checked])).toEqual(ok({ number: 1, next: checked }));
    expect(segments[0]?.record).toEqual([
      ["tell", "configure", { destinations: [] }],
      ["tell", "configure", { sources: [] }],
    ]);
  });

  it("is started once, and not after a stop", async () => {
    const { relay, told, segments } = open();
    relay.start();
    relay.start();
    await relay.stop();
    relay.start();
    expect(told).toEqual(["start 1", "stop 1"]);
    expect(segments[0]?.record).toEqual([
      ["tell", "start"],
      ["ask", "stop"],
    ]);
  });

  it("runs on the ports of the record, with the settings and numbers of its host", () => {
    const { opened, segments } = open();
    expect(segments[0]?.start).toEqual({ settings: { workspace: SETTINGS, pollMs: 7, gatherMs: 0 } });
    expect(opened).toEqual([
      {
        state: undefined,
        options: {
          workspace: SETTINGS,
          pollMs: 7,
          gatherMs: 0,
          store: "store 1",
          observe: expect.any(Function) as unknown,
        },
      },
    ]);
  });

  it("records its events, but no measurements, and passes on both", () => {
    const { opened, segments, passed } = open();
    const events = [{ kind: "configured" }, { kind: "committed" }, { kind: "claimed" }, { kind: "swept" }];
    for (const event of events) opened[0]?.options.observe?.(event as RelayEvent);
    expect(passed).toEqual(events);
    expect(segments[0]?.record).toEqual([
      ["event", { kind: "configured" }],
      ["event", { kind: "swept" }],
    ]);
  });
});

describe("a record that asks for another relay", () => {
  it("gets one that knows what the former knew, and the former begins no further work", async () => {
    const { relay, segments, told, opened, call, renew } = open();
    relay.start();
    renew();
    expect(told).toEqual(["start 1", "start 2", "retire 1"]);
    expect(segments[1]?.start).toMatchObject({ settings: { workspace: { number: 1 } }, state: { number: 1 } });
    expect(opened[1]?.state).toEqual({ number: 1, isOfRecord: true });
    expect(segments[0]?.record.at(-1)).toEqual(["ask", "retire"]);
    expect(segments[1]?.record).toEqual([["tell", "start"]]);
    expect((await (call("stats") as ResultAsync<unknown, never>))._unsafeUnwrap()).toMatchObject({ number: 2 });
  });

  it("gets none before the relay has started, after it has stopped, and while its store is not healthy", async () => {
    const unstarted = open();
    unstarted.renew();
    const stopped = open();
    stopped.relay.start();
    await stopped.relay.stop();
    stopped.renew();
    const unhealthy = open({ health: () => ({ kind: "unhealthy", reason: "full" }) });
    unhealthy.relay.start();
    unhealthy.renew();
    for (const { segments } of [unstarted, stopped, unhealthy]) expect(segments).toHaveLength(1);
  });

  it.each(["syncAudience", "requestDeletion"] as const)("gets none while a %s is under way", async (method) => {
    const { relay, segments, call, renew } = open();
    relay.start();
    const calls = [call(method), call(method)] as readonly ResultAsync<unknown, never>[];
    renew();
    expect(segments).toHaveLength(1);
    await Promise.all(calls);
    renew();
    expect(segments).toHaveLength(2);
  });

  it("has stopped only once each former relay has ended", async () => {
    let end: () => void = () => undefined;
    const { relay, renew } = open({ retire: () => new Promise<void>((resolve) => (end = resolve)) });
    relay.start();
    renew();
    let isStopped = false;
    const stopping = relay.stop().then(() => (isStopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).toBe(false);
    end();
    await stopping;
    expect(isStopped).toBe(true);
  });
});
