import { type CheckedCall, encodeMessage, encodeWithContext, mapCall, deleteMessageOf } from "@postrider/core/engine";
import { checkedCalls, nastyStrings } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NOW, stamped, text } from "../builders.js";

const encode = (call: CheckedCall) => encodeMessage(mapCall(stamped(call)));

describe("encodeMessage", () => {
  it("writes the JSON text of a message as UTF-8", () => {
    expect(text(encodeMessage(deleteMessageOf("ü😀", NOW)))).toBe(
      '{"type":"delete","userId":"ü😀","timestamp":"2026-01-31T12:00:00.000Z"}',
    );
  });

  it("writes half a surrogate pair as an escape, so that the bytes stay UTF-8", () => {
    expect(text(encodeMessage(deleteMessageOf("\ud800", NOW)))).toContain('"userId":"\\ud800"');
  });

  it("never changes bytes that it has returned, however many short and long messages follow", () => {
    const lengths = fc.array(fc.oneof(fc.nat(40), fc.nat(4_000), fc.nat(40_000)), { maxLength: 40 });
    fc.assert(
      fc.property(lengths, nastyStrings(), (some, nasty) => {
        const messages = some.map((length, index) =>
          deleteMessageOf(`${String(index)}${nasty}${"€".repeat(length)}`, NOW),
        );
        const bodies = messages.map((message) => encodeMessage(message));
        const separate = messages.map((message) => new TextEncoder().encode(JSON.stringify(message)));
        expect(bodies.map(text)).toEqual(separate.map(text));
        expect(bodies.map((body) => body.length)).toEqual(separate.map((body) => body.length));
      }),
      { numRuns: 50 },
    );
  });

  it("gives the same bytes after parsing and writing again (law 30)", () => {
    fc.assert(
      fc.property(checkedCalls(), (call) => {
        const body = text(encode(call));
        expect(JSON.stringify(JSON.parse(body))).toBe(body);
      }),
    );
  });

  it("gives the same bytes for the same message every time (law 29)", () => {
    fc.assert(
      fc.property(checkedCalls(), (call) => {
        expect(encode(call)).toEqual(encode(structuredClone(call)));
      }),
    );
  });

  it("carries every text without loss", () => {
    fc.assert(
      fc.property(nastyStrings(), (userId) => {
        expect(JSON.parse(text(encodeMessage(deleteMessageOf(userId, NOW)))).userId).toBe(userId);
      }),
    );
  });
});

describe("encodeWithContext", () => {
  it("writes the same bytes as the message with that context, whatever else is in it", () => {
    fc.assert(
      fc.property(checkedCalls(), checkedCalls(), (call, { context = {} }) => {
        const bare = mapCall(stamped({ ...call, context: {} }));
        expect(encodeWithContext(bare, JSON.stringify(context))).toEqual(encode({ ...call, context }));
      }),
    );
  });

  it("is not misled by text that looks like a context", () => {
    const misleading: CheckedCall = {
      type: "track",
      userId: '"context":{},',
      event: "e",
      properties: { context: {}, a: 1 },
    };
    const written = text(encodeWithContext(mapCall(stamped({ ...misleading, context: {} })), '{"ip":"x"}'));
    expect(JSON.parse(written)).toMatchObject({ properties: { context: {} }, context: { ip: "x" } });
  });
});
