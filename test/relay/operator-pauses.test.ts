// An operator pauses a lane, resumes it, and has it probed. The store keeps the pauses as records.

import { createStoreError, type DestinationId, epochMs, type RecordStore } from "@postrider/core";
import { encodePause } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { createMemoryStore, type ManualClock } from "@postrider/memory";
import { createRig, CRM, destination, HOUR, type Rig, type RigOptions, track } from "./rig.js";

const MAIL = "mail" as DestinationId;

/** More than the time between two polls. */
const POLLED = 1_100;

async function pausable(options: RigOptions = {}): Promise<Rig> {
  const rig = createRig({ hasRecords: true, ...options });
  await rig.advance(0);
  return rig;
}

async function pause(rig: Rig): Promise<unknown> {
  return rig.answer(rig.relay().pause(CRM));
}

/** A store that answers as `change` says when it is asked for records. */
function withRecords(change: (records: RecordStore, clock: ManualClock) => Partial<RecordStore>): RigOptions {
  return {
    wrapStore: ({ records, ...store }, clock) =>
      records === undefined ? store : { ...store, records: { ...records, ...change(records, clock) } },
  };
}

describe("a destination that an operator has paused", () => {
  it("stores what comes, and sends nothing until it is resumed", async () => {
    const rig = await pausable();
    expect(await pause(rig)).toMatchObject({ lane: CRM, mode: "paused", pausedBy: ["operator"] });
    await rig.accept(track());
    await rig.advance(HOUR);
    expect(rig.seen).toHaveLength(0);
    expect(await rig.only()).toMatchObject({ state: "waiting", attempts: [] });

    expect(await rig.answer(rig.relay().resume(CRM))).toMatchObject({ mode: "open", pausedBy: [], deliveries: 1 });
    await rig.advance(100);
    expect(await rig.only()).toMatchObject({ state: "delivered" });
  });

  it("holds back no other destination", async () => {
    const rig = await pausable({
      receivers: { a: { status: 200 } },
      destinations: [destination("crm", ["a"]), destination("mail", ["a"])],
    });
    await pause(rig);
    await rig.accept(track());
    await rig.advance(100);
    expect((await rig.all()).map(({ destination: lane, state }) => [lane, state]).toSorted()).toEqual([
      [CRM, "waiting"],
      [MAIL, "delivered"],
    ]);
  });

  it("is paused after a crash, before a delivery that waits could be claimed", async () => {
    const rig = await pausable();
    await pause(rig);
    await rig.accept(track());
    rig.restart();
    expect(rig.relay().lanes()).toMatchObject([{ mode: "open", pausedBy: [] }]);
    await rig.accept(track());
    await rig.advance(HOUR);
    expect(rig.seen).toHaveLength(0);
    expect(rig.relay().lanes()).toMatchObject([{ mode: "paused", pausedBy: ["operator"], deliveries: 2 }]);
  });

  it("is paused for other processes on the store from their next poll on, and resumed as soon", async () => {
    const rig = await pausable();
    const otherRelay = rig.join();
    await rig.advance(0);
    await pause(rig);
    await rig.advance(POLLED);
    expect(otherRelay.lanes()).toMatchObject([{ mode: "paused" }]);
    await rig.answer(otherRelay.resume(CRM));
    await rig.advance(POLLED);
    expect(rig.relay().lanes()).toMatchObject([{ mode: "open" }]);
  });

  it("stays paused when other settings come, and while the settings pause it too", async () => {
    const rig = await pausable();
    await pause(rig);
    rig
      .relay()
      .configure(rig.workspace([destination("crm", ["a"], { paused: true })]))
      ._unsafeUnwrap();
    expect(rig.relay().lanes()).toMatchObject([{ pausedBy: ["settings", "operator"] }]);
    expect(await rig.answer(rig.relay().resume(CRM))).toMatchObject({ mode: "paused", pausedBy: ["settings"] });
    rig
      .relay()
      .configure(rig.workspace([destination("crm", ["a"])]))
      ._unsafeUnwrap();
    expect(rig.relay().lanes()).toMatchObject([{ mode: "open" }]);
  });

  it("gives back what was claimed and not sent, and lets its windows run on", async () => {
    const rig = await pausable({ receivers: { a: { status: 503 } } });
    await rig.accept(track());
    await rig.advance(100);
    await pause(rig);
    await rig.advance(4 * HOUR + 60_000);
    expect(rig.seen).toHaveLength(1);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "expired" });
  });

  it("explains that an operator has paused it", async () => {
    const rig = await pausable();
    await pause(rig);
    await rig.accept(track());
    const { id } = await rig.only();
    expect(await rig.answer(rig.relay().explain(id))).toMatchObject({
      reasons: [{ kind: "paused", by: ["operator"] }],
    });
  });

  it("tells of each pause and of each end once, in the log too", async () => {
    const rig = await pausable();
    for (let time = 0; time < 2; time += 1) await pause(rig);
    for (let time = 0; time < 2; time += 1) await rig.answer(rig.relay().resume(CRM));
    const pauseEvents = rig.events.filter(({ kind }) => kind === "lane-paused" || kind === "lane-resumed");
    expect(pauseEvents).toMatchObject([
      { kind: "lane-paused", destination: CRM },
      { kind: "lane-resumed", destination: CRM },
    ]);
    expect(rig.logged.map(([, { code }]) => code)).toEqual(["lane-paused", "lane-resumed"]);
  });

  it("can be resumed when the settings do not have it any more, and then is unknown", async () => {
    const rig = await pausable();
    await pause(rig);
    rig.relay().configure(rig.workspace([]))._unsafeUnwrap();
    expect(await rig.answer(rig.relay().resume(CRM))).toMatchObject({ mode: "gone" });
    expect((await rig.relay().resume(CRM))._unsafeUnwrapErr()).toEqual({ code: "unknown-destination" });
    expect((await rig.relay().pause(CRM))._unsafeUnwrapErr()).toEqual({ code: "unknown-destination" });
  });
});

describe("a relay on a store that keeps records", () => {
  it("sends nothing before it knows the pauses, and then what waits", async () => {
    let isBusy = true;
    const answers = withRecords((records) => ({
      list: async (query) => {
        if (isBusy) throw createStoreError("busy", "busy");
        return records.list(query);
      },
    }));
    const rig = await pausable(answers);
    await rig.accept(track());
    await rig.advance(5 * POLLED);
    expect(rig.seen).toHaveLength(0);
    isBusy = false;
    await rig.advance(POLLED);
    expect(await rig.only()).toMatchObject({ state: "delivered" });
  });

  it("does not take an answer for the last word that is older than a pause", async () => {
    const late = withRecords((records, clock) => ({
      list: async (query) => {
        const answer = await records.list(query);
        await new Promise<void>((resolve) => void clock.after(300, resolve));
        return answer;
      },
    }));
    const rig = await pausable(late);
    await rig.advance(300 + 1_000 + 100);
    await pause(rig);
    await rig.advance(250);
    expect(rig.relay().lanes()).toMatchObject([{ mode: "paused" }]);
    await rig.advance(HOUR);
    expect(rig.relay().lanes()).toMatchObject([{ mode: "paused" }]);
  });

  it("reads all pages of paused lanes", async () => {
    const ids = Array.from({ length: 1_003 }, (_, place) => `lane-${String(place).padStart(4, "0")}` as DestinationId);
    const store = createMemoryStore();
    for (const lane of ids) await store.records!.put(encodePause({ lane, pausedAt: epochMs(0) }));
    const rig = await pausable({
      destinations: ids.map((id) => destination(id, ["a"])),
      ...withRecords(() => store.records!),
    });
    expect(
      new Set(
        rig
          .relay()
          .lanes()
          .map(({ mode }) => mode),
      ),
    ).toEqual(new Set(["paused"]));
  });

  it("repeats a pause while the store is busy, and says when the store does not keep it", async () => {
    let faults = 2;
    const rig = await pausable(
      withRecords((records) => ({
        put: async (record) => {
          faults -= 1;
          if (faults >= 0) throw createStoreError("busy", "busy");
          return records.put(record);
        },
      })),
    );
    const paused = rig.relay().pause(CRM);
    await rig.advance(100);
    expect((await paused)._unsafeUnwrap()).toMatchObject({ mode: "paused" });
    const failing = await pausable(
      withRecords(() => ({ put: () => Promise.reject(createStoreError("unavailable", "gone")) })),
    );
    expect((await failing.relay().pause(CRM))._unsafeUnwrapErr()).toEqual({ code: "unavailable" });
    expect(failing.relay().lanes()).toMatchObject([{ mode: "open" }]);
  });
});

it("a store that keeps no records refuses pauses, and nothing waits for them", async () => {
  const rig = createRig();
  await rig.accept(track());
  expect((await rig.relay().pause(CRM))._unsafeUnwrapErr()).toEqual({ code: "not-supported" });
  expect((await rig.relay().resume(CRM))._unsafeUnwrapErr()).toEqual({ code: "not-supported" });
  await rig.advance(100);
  expect(await rig.only()).toMatchObject({ state: "delivered" });
});

describe("a probe that an operator asks for", () => {
  /** A held lane whose next probe is minutes away. */
  async function createHeldRig(): Promise<Rig> {
    let isUp = false;
    const rig = await pausable({
      receivers: { a: () => ({ status: isUp ? 200 : 503 }) },
      delivery: { firstRetryMs: 1_000, maxRetryMs: 1_000 },
    });
    await rig.accept(...Array.from({ length: 60 }, (_, place) => track({ messageId: `m${String(place)}` })));
    await rig.advance(60_000);
    expect(rig.relay().lanes()).toMatchObject([{ mode: "held" }]);
    isUp = true;
    return rig;
  }

  it("is sent at once, and opens the lane if the receiver takes it", async () => {
    const rig = await createHeldRig();
    const [lane] = rig.relay().lanes();
    expect(lane!.backoff!.nextProbeAt - rig.clock.wall()).toBeGreaterThan(5_000);
    const before = rig.seen.length;
    await rig.advance(1_000);
    expect(rig.seen).toHaveLength(before);
    await rig.answer(rig.relay().probe(CRM));
    await rig.advance(50);
    expect(rig.seen.length).toBeGreaterThan(before);
    expect(rig.relay().lanes()).toMatchObject([{ mode: "open" }]);
  });

  it("is refused for a lane that sends, for one that is paused, and for none", async () => {
    const rig = await pausable();
    expect((await rig.relay().probe(CRM))._unsafeUnwrapErr()).toEqual({ code: "not-probed", mode: "open" });
    await pause(rig);
    expect((await rig.relay().probe(CRM))._unsafeUnwrapErr()).toEqual({ code: "not-probed", mode: "paused" });
    expect((await rig.relay().probe(MAIL))._unsafeUnwrapErr()).toEqual({ code: "unknown-destination" });
  });
});
