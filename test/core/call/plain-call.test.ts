import { isPlainObject, plainCall } from "@postrider/core/engine";
import { jsonValues } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";

const AT = "2026-01-31T12:00:00.000Z";

class Plan {
  readonly plan = "pro";
  readonly #seats = 3;
  get seats(): number {
    return this.#seats;
  }
}

describe("plainCall", () => {
  it("returns a plain call itself, whatever is in its fields", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), jsonValues()),
        fc.dictionary(fc.string(), jsonValues()),
        (call, fields) => {
          const made = { ...call, properties: fields };
          fc.pre(isPlainObject(made));
          expect(plainCall(made)).toBe(made);
        },
      ),
    );
  });

  it.each([undefined, null, 7, "text", [], new Map(), new Date(0), () => 1])(
    "returns %s, which is no call",
    (value) => {
      expect(plainCall(value)).toBe(value);
    },
  );

  it.each([
    ["a date", new Date(AT), AT],
    ["a date of another realm", runInNewContext(`new Date("${AT}")`), AT],
    ["an invalid date", new Date(NaN), null],
    ["an instance of a class", new Plan(), { plan: "pro" }],
    ["what writes itself", { toJSON: (key: string) => ({ key }) }, { key: "traits" }],
    ["a boxed text", Object("text"), "text"],
    ["a list", [1], [1]],
    ["a map", new Map(), new Map()],
  ])("has %s as JSON writes it", (_, value: unknown, expected) => {
    const call = { userId: "u1", traits: value };
    expect(plainCall(call)).toEqual({ userId: "u1", traits: expected });
    expect(call.traits).toBe(value);
  });

  it("has plain data in place of an object whose toJSON answers that object", () => {
    const itself = {
      plan: "pro",
      toJSON() {
        return this;
      },
    };
    const { traits } = plainCall({ userId: "u1", traits: itself }) as { traits: object };
    expect(isPlainObject(traits)).toBe(true);
    expect(JSON.stringify(traits)).toBe('{"plan":"pro"}');
    expect(JSON.stringify(plainCall({ traits: { toJSON: () => ({ toJSON: "text" }) } }))).toBe(
      '{"traits":{"toJSON":"text"}}',
    );
  });

  it("reads the fields of a call that is an instance of a class, getters included, and not what it writes itself as", () => {
    class Made {
      readonly event = "e";
      get userId(): string {
        return "u1";
      }
      toJSON(): object {
        return {};
      }
    }
    expect(plainCall(new Made())).toMatchObject({ userId: "u1", event: "e", traits: undefined });
    expect(isPlainObject(plainCall(new Made()))).toBe(true);
  });
});
