import { setPrefix, unusedSets, setName } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { audience, CRM } from "./builders.js";

const set = (sync: number, run = 0) => setName({ key: "vip", sync, run });
const told = [{ destination: CRM, sync: 1, parts: [{ set: set(1), upTo: null }] }];
const holder = { owner: "o", aliveAt: audience().createdAt };

describe("the sets of an audience", () => {
  it("have a prefix that no other audience's sets have", () => {
    expect(set(3, 7)).toBe("audience/vip/3/run-7");
    expect(set(3, 7).startsWith(setPrefix("vip"))).toBe(true);
    expect(set(3, 7).startsWith(setPrefix("vi"))).toBe(false);
  });

  it("are unused when the record does not refer to them", () => {
    expect(unusedSets(audience({ syncs: 2, told }), [set(1), set(1, 1), set(2)])).toEqual([set(1, 1), set(2)]);
  });

  it("are used while they are collected or sent", () => {
    const sets = [set(1), set(2), set(3), set(3, 1)];
    const collecting = audience({ syncs: 3, told, running: { kind: "collecting", ...holder, since: 0 } });
    expect(unusedSets(collecting, sets)).toEqual([set(2)]);
    const counts = { entered: 0, departed: 0, changed: 0 };
    const sending = { kind: "sending", set: set(3, 1), members: 1, left: [CRM], ...counts, ...holder } as const;
    expect(unusedSets(audience({ syncs: 3, told, running: sending }), sets)).toEqual([set(2), set(3)]);
  });

  it("count as used when they are later than the record, or have an unknown name", () => {
    expect(unusedSets(audience({ syncs: 1, told }), [set(1), set(2), "audience/vip/mine", set(10)])).toEqual([]);
  });
});
