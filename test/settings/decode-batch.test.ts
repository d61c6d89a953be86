// The envelope of a batch. Its calls are tested with `decodeCall`.

import { decodeBatch } from "@postrider/relay/settings";
import { jsonObjects, jsonValues } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const CALL = { type: "track", event: "Signed Up" };

describe("a batch", () => {
  it.each([null, undefined, 1, "batch", true, [], [CALL], new Date(0), new Map([["batch", [CALL]]])])(
    "is an object, not %o",
    (value) => {
      expect(decodeBatch(value)).toEqual({ kind: "refused", code: "bad-batch", path: "", expected: "an object" });
    },
  );

  it.each([
    {},
    { batch: null },
    { batch: undefined },
    { batch: "x" },
    { batch: {} },
    { batch: { length: 1, 0: CALL } },
  ])("has a list of calls, unlike %o", (value) => {
    expect(decodeBatch(value)).toEqual({
      kind: "refused",
      code: "bad-batch",
      path: "batch",
      expected: "a list of calls",
    });
  });

  it("does not inherit its calls", () => {
    const value: unknown = JSON.parse('{"__proto__":{"batch":[{}]}}');
    expect(decodeBatch(value)).toMatchObject({ code: "bad-batch", path: "batch" });
  });

  it("with no call is refused", () => {
    expect(decodeBatch({ batch: [] })).toEqual({
      kind: "refused",
      code: "empty-batch",
      path: "batch",
      expected: "at least 1 call",
    });
  });

  it("of 2,500 calls is accepted, and of one more is refused", () => {
    expect(decodeBatch({ batch: Array.from({ length: 2_500 }, () => CALL) }).kind).toBe("ok");
    expect(decodeBatch({ batch: Array.from({ length: 2_501 }, () => CALL) })).toEqual({
      kind: "refused",
      code: "too-many-calls",
      path: "batch",
      expected: "at most 2500 calls",
    });
  });

  it("passes its calls on unchanged, whatever they are", () => {
    const batch = [CALL, null, [], "x", { type: "delete" }];
    const result = decodeBatch({ batch });
    expect(result.kind === "ok" && result.batch.calls).toBe(batch);
  });

  it("whose getter throws is refused", () => {
    const value = {
      get batch(): never {
        throw new Error("canary");
      },
    };
    expect(decodeBatch(value)).toEqual({
      kind: "refused",
      code: "bad-batch",
      path: "",
      expected: "an object of plain data",
    });
  });
});

describe("a field that a batch sets for all of its calls", () => {
  it("is passed on by reference", () => {
    const context = { ip: "192.0.2.1" };
    const integrations = { All: false };
    const result = decodeBatch({ batch: [CALL], context, integrations, writeKey: "wk", sentAt: "2026-01-02" });
    expect(result).toEqual({
      kind: "ok",
      batch: { calls: [CALL], context, integrations, writeKey: "wk", sentAt: Date.UTC(2026, 0, 2) },
    });
    expect(result.kind === "ok" && result.batch.context).toBe(context);
    expect(result.kind === "ok" && result.batch.integrations).toBe(integrations);
  });

  it("is absent if it is null", () => {
    const nothing = { context: null, integrations: null, sentAt: null, writeKey: null };
    expect(decodeBatch({ batch: [CALL], ...nothing })).toEqual({ kind: "ok", batch: { calls: [CALL] } });
  });

  it.each(["context", "integrations"])("is an empty object if it is %s and an empty list", (field) => {
    expect(decodeBatch({ batch: [CALL], [field]: [] })).toEqual({ kind: "ok", batch: { calls: [CALL], [field]: {} } });
  });

  it.each(["context", "integrations"])("refuses the batch if it is %s and not an object", (field) => {
    for (const value of ["", 0, false, ["All"], "none", new Date(0)]) {
      expect(decodeBatch({ batch: [CALL], [field]: value })).toEqual({
        kind: "refused",
        code: "bad-batch",
        path: field,
        expected: "an object",
      });
    }
  });

  it("is ignored if it is a writeKey that cannot be read", () => {
    for (const writeKey of ["", 1, true, {}, []]) {
      expect(decodeBatch({ batch: [CALL], writeKey })).toEqual({ kind: "ok", batch: { calls: [CALL] } });
    }
  });

  it("is left out and told if it is a sentAt that cannot be read, unless it is empty", () => {
    for (const sentAt of ["yesterday", 1, true, {}, []]) {
      expect(decodeBatch({ batch: [CALL], sentAt })).toEqual({
        kind: "ok",
        batch: { calls: [CALL], isSentAtUnread: true },
      });
    }
    expect(decodeBatch({ batch: [CALL], sentAt: "" })).toEqual({ kind: "ok", batch: { calls: [CALL] } });
    expect(decodeBatch({ batch: [CALL], sentAt: 1_700_000_000 })).toMatchObject({ batch: { sentAt: 17e11 } });
  });

  it("does not count if it is inherited", () => {
    const value: unknown = JSON.parse('{"batch":[1],"__proto__":{"context":{},"writeKey":"wk","sentAt":"2026-01-02"}}');
    expect(decodeBatch(value)).toEqual({ kind: "ok", batch: { calls: [1] } });
  });
});

describe("any value", () => {
  it("is decoded or refused, causes no exception, and is never shown", () => {
    const value = fc.oneof(
      fc.anything(),
      fc.record({ batch: fc.anything(), context: jsonValues(), integrations: jsonValues(), sentAt: fc.anything() }),
      fc.record({ batch: fc.array(jsonValues(), { minLength: 1 }), context: jsonObjects(), writeKey: fc.anything() }),
    );
    fc.assert(
      fc.property(value, (found) => {
        const result = decodeBatch(found);
        if (result.kind === "ok") return;
        expect(["bad-batch", "empty-batch", "too-many-calls"]).toContain(result.code);
        expect(["", "batch", "context", "integrations"]).toContain(result.path);
      }),
      { numRuns: 1_000 },
    );
  });
});
