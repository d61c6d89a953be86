// The parts of a call that have no effect: for each kind of call, the object that only other kinds have, if it has fields; and
// a misspelt `All`.

import { CALL_KINDS, type CallKind } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { slipsOf } from "../../../packages/relay/src/intake/prepare-call.js";

const DROPPED: Readonly<Record<CallKind, readonly string[]>> = {
  identify: ["identify-properties"],
  group: ["group-properties"],
  track: ["track-traits"],
  page: ["page-traits"],
  screen: ["screen-traits"],
  alias: [],
};

describe("the slips of a call", () => {
  it.each(CALL_KINDS)("of the kind %s name the object that this kind drops", (kind) => {
    const fields = { traits: { plan: "pro" }, properties: { plan: "pro" } };
    expect(slipsOf(fields, kind, undefined)).toEqual(DROPPED[kind]);
    expect(slipsOf(fields, kind, { ALL: false })).toEqual([...DROPPED[kind], "all-in-another-case"]);
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ["without the object", {}],
    ["whose object has no fields", { traits: {}, properties: {} }],
    ["in whose place there is no object", { traits: "pro", properties: ["pro"] }],
    [
      "that only inherits the object",
      Object.create({ traits: { plan: "pro" }, properties: { plan: "pro" } }) as object as never,
    ],
  ])("%s are none", (_, fields) => {
    for (const kind of CALL_KINDS) {
      expect(slipsOf(fields, kind, undefined)).toEqual([]);
      expect(slipsOf(fields, kind, { All: false })).toEqual([]);
      expect(slipsOf(fields, kind, { all: true })).toEqual(["all-in-another-case"]);
    }
  });
});
