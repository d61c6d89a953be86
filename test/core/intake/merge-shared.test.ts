import { jsonObjects } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeShared } from "./merge-shared.js";

describe("mergeShared", () => {
  it("merges the shared fields under those of each call, key by key", () => {
    const shared = { context: { ip: "1.1.1.1", locale: "de" }, integrations: { All: false } };
    expect(mergeShared({ type: "page", context: { ip: "2.2.2.2" } }, shared)).toEqual({
      type: "page",
      context: { ip: "2.2.2.2", locale: "de" },
      integrations: { All: false },
    });
  });

  it("is shallow: a nested object of the call replaces the shared one", () => {
    const merged = mergeShared({ context: { app: { name: "a" } } }, { context: { app: { version: "1" }, ip: "x" } });
    expect(merged).toEqual({ context: { app: { name: "a" }, ip: "x" } });
  });

  it("reads null as absent", () => {
    expect(mergeShared({ context: null }, { context: { ip: "x" } })).toEqual({ context: { ip: "x" } });
    expect(mergeShared({ context: { ip: "x" } }, { context: null })).toEqual({ context: { ip: "x" } });
  });

  it("reads an empty list as an empty object, as PHP writes an empty map", () => {
    expect(mergeShared({ context: [] }, { context: { ip: "x" } })).toEqual({ context: { ip: "x" } });
    expect(mergeShared({ integrations: [] }, { integrations: { All: false } })).toEqual({
      integrations: { All: false },
    });
    expect(mergeShared({ integrations: ["All"] }, { integrations: { All: false } })).toEqual({ integrations: ["All"] });
    expect(mergeShared({ type: "page" }, { integrations: [], context: { ip: "x" } })).toEqual({
      type: "page",
      context: { ip: "x" },
    });
  });

  it.each(["text", 1, ["a"], true])("leaves %j in a call, so that the decoder refuses it", (context: unknown) => {
    expect(mergeShared({ context }, { context: { ip: "x" } })).toEqual({ context });
  });

  it.each(["text", 1, [], true, null, undefined])("does not merge %j into a call", (context: unknown) => {
    expect(mergeShared({ type: "page" }, { context, integrations: context })).toEqual({ type: "page" });
  });

  it("adds no key that neither side has", () => {
    expect(Object.keys(mergeShared({ type: "page" }, {}))).toEqual(["type"]);
  });

  it("is the call itself without shared fields", () => {
    const call = { type: "page", context: { ip: "x" } };
    for (const shared of [{}, { context: undefined, integrations: null }]) expect(mergeShared(call, shared)).toBe(call);
  });

  it("merges each of the two fields separately", () => {
    const own = { integrations: { CRM: true } };
    expect(mergeShared(own, { integrations: { All: false } })).toEqual({ integrations: { All: false, CRM: true } });
    expect(mergeShared(own, { context: { ip: "x" } })).toEqual({ context: { ip: "x" }, integrations: { CRM: true } });
  });

  it("prefers the call's own keys, keeps every other, and changes neither side", () => {
    fc.assert(
      fc.property(jsonObjects(), jsonObjects(), (context, shared) => {
        const before = JSON.stringify([context, shared]);
        const merged = mergeShared({ context }, { context: shared })["context"] as object;
        const expected = new Map([...Object.entries(shared), ...Object.entries(context)]);
        expect(new Map(Object.entries(merged))).toEqual(expected);
        expect(JSON.stringify([context, shared])).toBe(before);
      }),
    );
  });
});
