import type { AudienceRecord } from "@postrider/core";
import { audienceCall, checkJson, checkSize, readMember } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { audience, users } from "./builders.js";

const AUDIENCE = audience();
const TRAIT = audience({ kind: "trait" });
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("readMember", () => {
  it("reads a user id, alone or in an object", () => {
    expect(readMember(AUDIENCE, "u")).toEqual({ kind: "ok", member: { userId: "u" } });
    expect(readMember(AUDIENCE, { userId: "u", name: "not ours" })).toEqual({ kind: "ok", member: { userId: "u" } });
  });

  it("reads a value and writes it again, so that different JSON text for the same value is equal", () => {
    const read = (value: string) => readMember(TRAIT, { userId: "u", value });
    expect(read(' { "a" : 1.0 } ')).toEqual({ kind: "ok", member: { userId: "u", value: '{"a":1}' } });
    expect(read("false")).toEqual({ kind: "ok", member: { userId: "u", value: "false" } });
  });

  it.each<readonly [record: AudienceRecord, given: unknown, expected: string]>([
    [AUDIENCE, "", "a user id that is not empty"],
    [AUDIENCE, 7, "a user id, or a member"],
    [AUDIENCE, null, "a user id, or a member"],
    [AUDIENCE, { userId: 7 }, "userId: a string"],
    [AUDIENCE, { userId: "u", value: "1" }, "no value: this is an audience"],
    [AUDIENCE, "u".repeat(32_768), "at most 32768 bytes of JSON"],
    [AUDIENCE, "\u0001".repeat(6_000), "at most 32768 bytes of JSON"],
    [TRAIT, "u", "a member with a value: this is a computed trait"],
    [TRAIT, { userId: "u", value: 1 }, "value: JSON text"],
    [TRAIT, { userId: "u", value: "" }, "value: JSON text"],
    [TRAIT, { userId: "u", value: "null" }, "a value that is not null; leave out a user without a value"],
    [TRAIT, { userId: "u", value: "1e400" }, "a value that is not null; leave out a user without a value"],
    [TRAIT, { userId: "u", value: nested(63) }, "at most 64 levels"],
    [TRAIT, { userId: "u", value: JSON.stringify("x".repeat(32_700)) }, "at most 32768 bytes of JSON"],
  ])("refuses input that is not a member (%#)", (record, given, expected) => {
    expect(readMember(record, given)).toEqual({ kind: "refused", expected });
  });

  it("takes members that just fit into a call", () => {
    expect(readMember(TRAIT, { userId: "u", value: nested(62) }).kind).toBe("ok");
    expect(readMember(AUDIENCE, "u".repeat(32_000)).kind).toBe("ok");
  });

  it("never takes a member that no call can carry", () => {
    fc.assert(
      fc.property(users(), fc.jsonValue(), (userId, value) => {
        const read = readMember(TRAIT, { userId, value: JSON.stringify(value) });
        if (read.kind === "refused") return;
        const call = audienceCall(TRAIT, { kind: "entered", ...read.member });
        expect(checkJson(call)).toBeUndefined();
        expect(checkSize(JSON.stringify(call))).toBeUndefined();
      }),
    );
  });
});
