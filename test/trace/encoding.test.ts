// The values of a trace: what is private in them is hidden, and a replay reads each of the others as it was.

import { createSecret } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { createDecoder, encode, type Scribe } from "../../packages/relay/src/trace/format/encoding.js";
import { createStandIns } from "../../packages/relay/src/trace/format/stand-ins.js";

const RECORD = { kind: "audience", key: "vip", revision: 2 } as const;
const hiding = (): Scribe => ({ hasBodies: false, standIns: createStandIns() });

describe("the text of a record", () => {
  it("is read as it was, if nothing in it is private", () => {
    const text = JSON.stringify({ name: "Ada’s", $bytes: 3, list: [null, { deep: -0.5, at: 1e21 }], __proto: "" });
    const decode = createDecoder();
    for (const scribe of [hiding(), { hasBodies: true }]) {
      const written: unknown = JSON.parse(JSON.stringify(encode({ ...RECORD, text }, scribe)));
      expect(decode(written)).toEqual({ ...RECORD, text });
    }
  });

  it("has stand-ins for user ids, and shows its other fields", () => {
    const text = JSON.stringify({ told: [{ sync: 1, parts: [{ set: "vip/1", upTo: "jane.doe" }] }] });
    expect(encode({ ...RECORD, text }, hiding())).toEqual({
      ...RECORD,
      text: { $json: { told: [{ sync: 1, parts: [{ set: "vip/1", upTo: "aaaa.aaa" }] }] } },
    });
  });

  it("that is no JSON is hidden as a whole", () => {
    expect(encode({ ...RECORD, text: "{jane" }, hiding())).toEqual({ ...RECORD, text: "{aaaa" });
  });
});

describe("the fields of a value", () => {
  it.each(["userId", "userIds", "traits", "members", "upTo", "actor"])("have stand-ins for users in %s", (name) => {
    const value = { id: "d1", of: [{ [name]: ["jane", { value: "jane", at: 12 }] }] };
    expect(encode(value, hiding())).toEqual({ id: "d1", of: [{ [name]: ["aaaa", { value: "aaaa", at: 77 }] }] });
  });

  it("of a call are hidden, but for its type, its message id and its times", () => {
    const at = "2026-01-01T00:00:00.000Z";
    const plain = { type: "track", messageId: "m-1", timestamp: at, originalTimestamp: at, sentAt: at };
    const call = { ...plain, event: "Bought", context: { type: "Jane" } };
    const hidden = { ...plain, event: "aaaaaa", context: { type: "aaaa" } };
    expect(encode({ calls: [call] }, hiding())).toEqual({ calls: [hidden] });
    expect(encode({ calls: [{ type: { of: "Jane" } }] }, hiding())).toEqual({ calls: [{ type: { of: "aaaa" } }] });
  });

  it("are absent if they are undefined, and a mark in a list", () => {
    expect(encode({ a: undefined, b: [undefined] }, hiding())).toEqual({ b: [{ $: "undefined" }] });
    expect(Object.keys(encode({ a: undefined }, hiding()) as object)).toEqual([]);
  });

  it("that are headers have names and the lengths of their values, of any kind", () => {
    const headers = [
      ["a", "secret"],
      ["b", createSecret("word")],
      ["c", null],
      ["d", 7],
    ];
    expect(encode({ headers }, { hasBodies: true })).toEqual({
      headers: [6, 4, 0, 0].map((length, index) => ["abcd"[index], { $hidden: length }]),
    });
  });
});

describe("a value that JSON lacks", () => {
  const again = (value: unknown): unknown => createDecoder()(JSON.parse(JSON.stringify(encode(value, hiding()))));

  it("is read as it was: numbers, sets and maps", () => {
    const value = [NaN, Infinity, -Infinity, -0, 0, new Set(["a", 1]), new Map([["a", new Set([1])]])];
    expect(again(value)).toEqual(value);
  });

  it("is read as undefined if it exists in its process alone", () => {
    for (const value of [() => 1, Symbol("a"), 1n]) {
      expect(encode(value, hiding())).toEqual({ $: "live" });
      expect(again(value)).toBeUndefined();
    }
  });

  it("is an error: it keeps its words and its code, and has no code if it had none", () => {
    expect(again(Object.assign(new Error("full"), { code: "busy" }))).toMatchObject({ message: "full", code: "busy" });
    expect(again(new Error("full"))).toBeInstanceOf(Error);
    expect(again(new Error("full"))).not.toHaveProperty("code");
  });
});
