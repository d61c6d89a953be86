import { mkdtempSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DeletionPage, deletionId, type DeletionRecord, epochMs, type MonoMs, monoMs } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import type { MetricFamily } from "@postrider/relay/metrics";
import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import {
  createCallerFamilies,
  createDeletionFamilies,
  createBuildFamilies,
  createProcessFamilies,
  createProgramFamilies,
  gauge,
  type ReadFamilies,
  createStoreFileFamilies,
} from "../../../packages/postrider/src/metrics/program-families.js";
import { createLoopDelay } from "../../../packages/postrider/src/metrics/loop-delay.js";
import { pointsOf } from "../../metrics/recount.js";

async function pointsFrom(read: ReadFamilies) {
  return pointsOf({ families: await read() });
}

const one = (name: string): readonly MetricFamily[] => [gauge({ name, help: "One." }, 1)];

describe("the metrics of the program", () => {
  it("are those of all parts, in their order, without a part that fails", async () => {
    const parts: readonly ReadFamilies[] = [
      () => one("a"),
      () => Promise.reject(new Error("no disk")),
      () => {
        throw new Error("no relay");
      },
      () => Promise.resolve(one("b")),
    ];
    const families = await createProgramFamilies(parts, createManualClock())();
    expect(families.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("do not wait for a disk or a store that does not answer", async () => {
    const clock = createManualClock();
    const hangs: ReadFamilies = () => new Promise(() => undefined);
    let told: readonly MetricFamily[] | undefined;
    void createProgramFamilies([() => one("a"), hangs], clock)().then((families) => (told = families));
    await clock.advance(499);
    expect(told).toBeUndefined();
    await clock.advance(1);
    expect(told?.map(({ name }) => name)).toEqual(["a"]);
  });
});

describe("the metrics of the store's files", () => {
  it("are the bytes of those that exist, and of the disk", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "postrider-sizes-")), "a.db");
    const read = createStoreFileFamilies(path);
    expect(Object.keys(await pointsFrom(read))).toEqual(["postrider.store.disk_free"]);
    writeFileSync(path, "12345");
    writeFileSync(`${path}-wal`, "123");
    expect(await pointsFrom(read)).toMatchObject({ "postrider.store.file db": 5, "postrider.store.file wal": 3 });
    const { bavail, bsize } = statfsSync(tmpdir());
    // Other programs write to the disk meanwhile.
    expect(Number((await pointsFrom(read))["postrider.store.disk_free"]) / (bavail * bsize)).toBeCloseTo(1, 0);
  });

  it("are left out where there is no such folder", async () => {
    expect(await pointsFrom(createStoreFileFamilies("/no/such/folder/a.db"))).toEqual({});
  });
});

describe("the metrics of requests about users", () => {
  const clock = createManualClock({ wall: epochMs(100_000) });
  const askedAt = (requestedAt: number) =>
    ({ id: deletionId(`d${String(requestedAt)}`), requestedAt: epochMs(requestedAt) }) as DeletionRecord;

  it("are how many are unfinished, and the age of the oldest", async () => {
    const asked: unknown[] = [];
    const page: DeletionPage = { deletions: [askedAt(98_000), askedAt(40_000)], more: false };
    const deletionRequests = (query: unknown) => {
      asked.push(query);
      return okAsync(page);
    };
    expect(await pointsFrom(createDeletionFamilies({ deletionRequests }, clock))).toEqual({
      "postrider.deletions.unfinished": 2,
      "postrider.deletions.oldest": 60,
    });
    expect(asked).toEqual([{ unfinished: true, limit: 1_000 }]);
  });

  it("have no age below 0 if the clock was set back", async () => {
    const later: DeletionPage = { deletions: [askedAt(160_000)], more: false };
    expect(await pointsFrom(createDeletionFamilies({ deletionRequests: () => okAsync(later) }, clock))).toMatchObject({
      "postrider.deletions.oldest": 0,
    });
  });

  it("are 0 if none is, and left out if the store cannot tell", async () => {
    const none = () => okAsync<DeletionPage>({ deletions: [], more: false });
    expect(await pointsFrom(createDeletionFamilies({ deletionRequests: none }, clock))).toEqual({
      "postrider.deletions.unfinished": 0,
      "postrider.deletions.oldest": 0,
    });
    const fails = () => errAsync({ code: "unavailable" } as const);
    expect(await pointsFrom(createDeletionFamilies({ deletionRequests: fails }, clock))).toEqual({});
  });
});

describe("the delay of the event loop", () => {
  /** A clock whose timer fires when it is told to, however late. */
  function lateClock() {
    let now = 0;
    let timer: (() => void) | undefined;
    return {
      monotonic: (): MonoMs => monoMs(now),
      after: (_ms: number, wake: () => void) => {
        timer = wake;
        return () => (timer = timer === wake ? undefined : timer);
      },
      fireAfter: (ms: number) => {
        now += ms;
        timer?.();
      },
      isSet: () => timer !== undefined,
    };
  }
  const P99 = "nodejs.eventloop.delay.p99";

  it("is what 99 of 100 timers of the latest half minute are not later than", async () => {
    const clock = lateClock();
    const { families } = createLoopDelay(clock);
    expect(await pointsFrom(families)).toEqual({});
    for (let timer = 0; timer < 1_480; timer += 1) clock.fireAfter(25);
    for (let timer = 0; timer < 20; timer += 1) clock.fireAfter(1_020);
    expect(await pointsFrom(families)).toEqual({ [P99]: 1 });
    for (let timer = 0; timer < 1_490; timer += 1) clock.fireAfter(22);
    expect(await pointsFrom(families)).toEqual({ [P99]: 0.002 });
  });

  it("is 0 for timers that are early, as after a clock that runs slower", async () => {
    const clock = lateClock();
    const { families } = createLoopDelay(clock);
    clock.fireAfter(15);
    expect(await pointsFrom(families)).toEqual({ [P99]: 0 });
  });

  it("is measured until it is stopped", () => {
    const clock = lateClock();
    const { stop } = createLoopDelay(clock);
    clock.fireAfter(20);
    expect(clock.isSet()).toBe(true);
    stop();
    expect(clock.isSet()).toBe(false);
  });
});

describe("the metrics of the process", () => {
  it("are its CPU, its memory and when it was started", async () => {
    const clock = createManualClock({ wall: epochMs(1_800_000_000_500) });
    const read = createProcessFamilies(clock);
    await clock.advance(60_000);
    const { user, system } = process.cpuUsage();
    const points = await pointsFrom(read);
    expect(points["process.start_time"]).toBe(1_800_000_000.5);
    expect(points["process.cpu"]).toBeGreaterThanOrEqual((user + system) / 1_000_000);
    expect(points["process.resident_memory"]).toBeGreaterThan(10_000_000);
  });

  it("name the version of the program", async () => {
    expect(await pointsFrom(createBuildFamilies("1.2.3"))).toEqual({ "postrider.build_info 1.2.3": 1 });
  });

  it("say how many connections callers have, and what is held of their requests", async () => {
    const held = () => ({ connections: 4, requests: 3, reading: 2, bytes: 1_000, keylessBytes: 10 });
    expect(await pointsFrom(createCallerFamilies(held))).toEqual({
      "postrider.connections": 4,
      "postrider.ingest.held": 1_000,
    });
  });
});
