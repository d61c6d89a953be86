// A stored record is changed although other processes change it too: each decision is about the record that it replaces.

import { err, ok, type Result } from "neverthrow";
import { describe, expect, it } from "vitest";
import { MAX_RACES } from "../../../packages/relay/src/limits.js";
import { type RecordAccess, replaceRecord } from "../../../packages/relay/src/commits/retry.js";
import type { StoreFault } from "../../../packages/relay/src/fault.js";

interface Counter {
  readonly revision: number;
  readonly count: number;
}

const FAULT: StoreFault = { code: "unavailable" };
const plusOne = (record: Counter): Result<Counter, "full"> => ok({ ...record, count: record.count + 1 });

/** A store in which another process adds ten right before each of the first `races` replacements. */
function storeOf(stored: Counter | undefined, races = 0) {
  const calls: string[] = [];
  let current = stored;
  let racesLeft = races;
  const access: RecordAccess<Counter> = {
    find: () => {
      calls.push("find");
      return Promise.resolve(ok(current));
    },
    replace: (record) => {
      calls.push("replace");
      if (racesLeft > 0 && current !== undefined)
        current = { revision: current.revision + 1, count: current.count + 10 };
      racesLeft -= 1;
      const isFirst = current?.revision === record.revision - 1;
      if (isFirst) current = record;
      return Promise.resolve(ok(isFirst));
    },
  };
  return { access, asked: calls, current: () => current };
}

const START: Counter = { revision: 7, count: 1 };

describe("a record", () => {
  it("is replaced under the next revision, without being read if it is known", async () => {
    const { access, asked, current } = storeOf(START);
    expect(await replaceRecord(access, plusOne, START)).toEqual(ok({ revision: 8, count: 2 }));
    expect([current(), asked]).toEqual([{ revision: 8, count: 2 }, ["replace"]]);
    expect(await replaceRecord(access, plusOne)).toEqual(ok({ revision: 9, count: 3 }));
    expect(asked.slice(1)).toEqual(["find", "replace"]);
  });

  it("is read and decided about again after each change of others", async () => {
    const { access, asked } = storeOf(START, 2);
    expect(await replaceRecord(access, plusOne, START)).toEqual(ok({ revision: 10, count: 22 }));
    expect(asked).toEqual(["replace", "find", "replace", "find", "replace"]);
  });

  it("is left after a named number of changes of others", async () => {
    const { access, asked } = storeOf(START, MAX_RACES);
    expect(await replaceRecord(access, plusOne, START)).toEqual(err({ code: "busy" }));
    expect(asked.filter((what) => what === "replace")).toHaveLength(MAX_RACES);
  });

  it("is not replaced if it is not there, or if the decision refuses", async () => {
    const nothing = storeOf(undefined);
    expect(await replaceRecord(nothing.access, plusOne)).toEqual(ok(undefined));
    const full = storeOf(START);
    expect(await replaceRecord(full.access, () => err("full" as const))).toEqual(err("full"));
    expect([nothing.asked, full.asked]).toEqual([["find"], ["find"]]);
  });

  it("is not replaced if the store fails", async () => {
    const { access } = storeOf(START);
    const fails = () => Promise.resolve(err(FAULT));
    expect(await replaceRecord({ ...access, find: fails }, plusOne)).toEqual(err(FAULT));
    expect(await replaceRecord({ ...access, replace: fails }, plusOne, START)).toEqual(err(FAULT));
  });
});
