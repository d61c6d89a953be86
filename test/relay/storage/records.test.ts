// Records of one kind are read page by page, and changed although other processes change them too: each decision is about the record
// that it replaces.

import { destinationId, epochMs, type RecordStore, type ReplayJob, replayJobId } from "@postrider/core";
import { encodePause, encodeReplayJob, newReplayJob } from "@postrider/core/engine";
import { createMemoryStore } from "@postrider/memory";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { MAX_RACES, RECORDS_PER_PAGE } from "../../../packages/relay/src/limits.js";
import {
  AUDIENCE_RECORDS,
  createRecords,
  PAUSE_RECORDS,
  type Records,
  REPLAY_JOB_RECORDS,
  replaceRecord,
} from "../../../packages/relay/src/commits/records.js";
import { faultOf, type StoreFault } from "../../../packages/relay/src/fault.js";

/** The records of a memory store, and the questions about them. */
function openRecords() {
  const store = createMemoryStore().records!;
  const asked: string[] = [];
  const watched = new Proxy(store, {
    get: (target, name): unknown => {
      asked.push(String(name));
      return Reflect.get(target, name);
    },
  });
  const ask = <T>(question: (records: RecordStore) => Promise<T>) =>
    ResultAsync.fromThrowable(question, faultOf)(watched);
  return { store, asked, ask };
}

function jobAt(place: number, changes: Partial<ReplayJob> = {}): ReplayJob {
  const [id, createdAt] = [replayJobId(`j${String(place)}`), epochMs(place)];
  return { ...newReplayJob({ id, createdAt, expected: 0, filter: { states: ["dead"] } }), ...changes };
}

describe("records of one kind", () => {
  it("are put once, found by their key, and gone once they are removed", async () => {
    const { ask } = openRecords();
    const pauses = createRecords(ask, PAUSE_RECORDS);
    const pause = { lane: destinationId("crm"), pausedAt: epochMs(5) };
    expect(await pauses.put(pause)).toEqual(ok(true));
    expect(await pauses.put({ ...pause, pausedAt: epochMs(9) })).toEqual(ok(false));
    expect(await pauses.find("crm")).toEqual(ok(pause));
    expect(await pauses.remove("crm")).toEqual(ok(undefined));
    expect([await pauses.find("crm"), await pauses.list()]).toEqual([ok(undefined), ok([])]);
  });

  it.each([
    [RECORDS_PER_PAGE - 1, 1],
    [RECORDS_PER_PAGE, 2],
    [2 * RECORDS_PER_PAGE + 1, 3],
  ])("are all in the list: %i of them, with %i questions", async (count, questions) => {
    const { store, asked, ask } = openRecords();
    for (let place = 0; place < count; place += 1) await store.put(encodeReplayJob(jobAt(place)));
    const jobs = await createRecords(ask, REPLAY_JOB_RECORDS).list();
    const latestFirst = Array.from({ length: count }, (_, place) => `j${String(count - 1 - place)}`);
    expect(jobs.map((all) => all.map(({ id }) => id))).toEqual(ok(latestFirst));
    expect(asked.filter((what) => what === "list")).toHaveLength(questions);
  });

  it("are listed by their tag, and apart from those of other kinds", async () => {
    const { store, ask } = openRecords();
    await store.put(encodePause({ lane: destinationId("j4"), pausedAt: epochMs(5) }));
    for (const job of [jobAt(1), jobAt(2, { state: "done" }), jobAt(3)]) await store.put(encodeReplayJob(job));
    const running = await createRecords(ask, REPLAY_JOB_RECORDS).list("running");
    expect(running.map((all) => all.map(({ id }) => id))).toEqual(ok(["j3", "j1"]));
  });

  it("that are audiences are listed by their keys, in UTF-16 units, whatever the order of the store", async () => {
    const { store } = openRecords();
    const keys = ["vip", "\uff5a", "news", "\u{1f600}"];
    const all = keys.map(
      (id) => ({ kind: "audience", key: id, revision: 1, text: JSON.stringify({ key: id }) }) as const,
    );
    const ask = <T>(question: (records: RecordStore) => Promise<T>) =>
      ResultAsync.fromPromise(question({ ...store, list: () => Promise.resolve(all) }), faultOf);
    const listed = await createRecords(ask, AUDIENCE_RECORDS).list();
    expect(listed.map((records) => records.map((one) => one.key))).toEqual(ok(["news", "vip", "\u{1f600}", "\uff5a"]));
  });

  it("have the fault of the store, also if a later page or a text is faulty", async () => {
    const { store, ask } = openRecords();
    for (let place = 0; place < RECORDS_PER_PAGE; place += 1) await store.put(encodeReplayJob(jobAt(place)));
    const jobs = createRecords(ask, REPLAY_JOB_RECORDS);
    await store.put({ kind: "replay-job", key: "odd", revision: 1, text: "odd" });
    expect([await jobs.list(), await jobs.find("odd")]).toEqual([err(FAULT), err(FAULT)]);
  });
});

interface Counter {
  readonly revision: number;
  readonly count: number;
}

const FAULT: StoreFault = { code: "unavailable" };
const key = "a counter";
const decide = (record: Counter): Result<Counter, "full"> => ok({ ...record, count: record.count + 1 });

/** A store in which another process adds ten right before each of the first `races` replacements. */
function storeOf(stored: Counter | undefined, races = 0) {
  const asked: string[] = [];
  let current = stored;
  let left = races;
  const records: Pick<Records<Counter>, "find" | "put"> = {
    find: (what) => {
      asked.push("find");
      return Promise.resolve(ok(what === key ? current : undefined));
    },
    put: (record) => {
      asked.push("put");
      if (left > 0 && current !== undefined) current = { revision: current.revision + 1, count: current.count + 10 };
      left -= 1;
      const isFirst = current?.revision === record.revision - 1;
      if (isFirst) current = record;
      return Promise.resolve(ok(isFirst));
    },
  };
  return { records, asked, current: () => current };
}

const START: Counter = { revision: 7, count: 1 };

describe("a record", () => {
  it("is replaced under the next revision, without being read if it is known", async () => {
    const { records, asked, current } = storeOf(START);
    expect(await replaceRecord(records, { key, decide, known: START })).toEqual(ok({ revision: 8, count: 2 }));
    expect([current(), asked]).toEqual([{ revision: 8, count: 2 }, ["put"]]);
    expect(await replaceRecord(records, { key, decide })).toEqual(ok({ revision: 9, count: 3 }));
    expect(asked.slice(1)).toEqual(["find", "put"]);
  });

  it("is read and decided about again after each change of others", async () => {
    const { records, asked } = storeOf(START, 2);
    expect(await replaceRecord(records, { key, decide, known: START })).toEqual(ok({ revision: 10, count: 22 }));
    expect(asked).toEqual(["put", "find", "put", "find", "put"]);
  });

  it("is left after a named number of changes of others", async () => {
    const { records, asked } = storeOf(START, MAX_RACES);
    expect(await replaceRecord(records, { key, decide, known: START })).toEqual(err({ code: "busy" }));
    expect(asked.filter((what) => what === "put")).toHaveLength(MAX_RACES);
  });

  it("is not replaced if it is not there, or if the decision refuses", async () => {
    const nothing = storeOf(undefined);
    expect(await replaceRecord(nothing.records, { key, decide })).toEqual(ok(undefined));
    const full = storeOf(START);
    expect(await replaceRecord(full.records, { key, decide: () => err("full" as const) })).toEqual(err("full"));
    expect([nothing.asked, full.asked]).toEqual([["find"], ["find"]]);
  });

  it("is not replaced if the store fails", async () => {
    const { records } = storeOf(START);
    const fails = () => Promise.resolve(err(FAULT));
    expect(await replaceRecord({ ...records, find: fails }, { key, decide })).toEqual(err(FAULT));
    expect(await replaceRecord({ ...records, put: fails }, { key, decide, known: START })).toEqual(err(FAULT));
  });
});
