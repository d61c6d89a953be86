import { setsOf, straySets, syncSet } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { audience, CRM } from "./builders.js";

const set = (sync: number, run = 0) => syncSet({ key: "vip", sync, run });
const told = [{ destination: CRM, sync: 1, parts: [{ set: set(1), upTo: null }] }];
const holder = { owner: "o", aliveAt: audience().createdAt };

describe("the sets of an audience", () => {
  it("have names that no other audience's begin like", () => {
    expect(set(3, 7)).toBe("audience/vip/3/run-7");
    expect(set(3, 7).startsWith(setsOf("vip"))).toBe(true);
    expect(set(3, 7).startsWith(setsOf("vi"))).toBe(false);
  });

  it("are strays when nobody knows them any more", () => {
    expect(straySets(audience({ syncs: 2, told }), [set(1), set(1, 1), set(2)])).toEqual([set(1, 1), set(2)]);
  });

  it("are none while they are collected or sent", () => {
    const sets = [set(1), set(2), set(3), set(3, 1)];
    const collecting = audience({ syncs: 3, told, running: { kind: "collecting", ...holder } });
    expect(straySets(collecting, sets)).toEqual([set(2)]);
    const counts = { entered: 0, departed: 0, changed: 0 };
    const sending = { kind: "sending", set: set(3, 1), members: 1, left: [CRM], ...counts, ...holder } as const;
    expect(straySets(audience({ syncs: 3, told, running: sending }), sets)).toEqual([set(2), set(3)]);
  });

  it("are none when they are younger than the record that is looked at, or named by somebody else", () => {
    expect(straySets(audience({ syncs: 1, told }), [set(1), set(2), "audience/vip/mine", set(10)])).toEqual([]);
  });
});
