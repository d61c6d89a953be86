import type { JsonObject } from "@postrider/core";
import { hasMisspeltAll, isAllowedByIntegrations } from "@postrider/core/engine";
import { integrationObjects } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("isAllowedByIntegrations", () => {
  it.each<[JsonObject, boolean]>([
    [{}, true],
    [{ All: true }, true],
    [{ All: false }, false],
    [{ Webhooks: true }, true],
    [{ All: true, Webhooks: true }, true],
    [{ All: false, Webhooks: true }, true],
    [{ Webhooks: false }, false],
    [{ All: true, Webhooks: false }, false],
    [{ All: false, Webhooks: false }, false],
  ])("answers the nine rows of the table: %j is %s (law 39)", (integrations, decision) => {
    expect(isAllowedByIntegrations(integrations, "Webhooks")).toBe(decision);
  });

  it("allows a destination without an integrations object", () => {
    expect(isAllowedByIntegrations(undefined, "Webhooks")).toBe(true);
  });

  it("reads an object of options as true, even against All", () => {
    expect(isAllowedByIntegrations({ All: false, Webhooks: { endpoint: 1 } }, "Webhooks")).toBe(true);
    expect(isAllowedByIntegrations({ All: false, Webhooks: {} }, "Webhooks")).toBe(true);
  });

  it.each([null, [], ["x"], 0, 1, "true", "false", ""])("ignores %j, and uses All instead", (value) => {
    expect(isAllowedByIntegrations({ Webhooks: value }, "Webhooks")).toBe(true);
    expect(isAllowedByIntegrations({ Webhooks: value, All: false }, "Webhooks")).toBe(false);
    expect(isAllowedByIntegrations({ Webhooks: value, All: true }, "Webhooks")).toBe(true);
  });

  it.each([null, {}, [], 0, "false"])("ignores %j as the value of All", (value) => {
    expect(isAllowedByIntegrations({ All: value }, "Webhooks")).toBe(true);
  });

  it("is case sensitive, for the name and for All", () => {
    expect(isAllowedByIntegrations({ webhooks: false, all: false, ALL: false }, "Webhooks")).toBe(true);
  });

  it("ignores inherited keys", () => {
    expect(isAllowedByIntegrations(Object.create({ Webhooks: false, All: false }) as JsonObject, "Webhooks")).toBe(
      true,
    );
    expect(isAllowedByIntegrations({ All: false }, "constructor")).toBe(false);
    expect(isAllowedByIntegrations({ All: false }, "__proto__")).toBe(false);
  });

  it("reads own keys with the names of prototype members", () => {
    expect(isAllowedByIntegrations(JSON.parse('{"__proto__":false}') as JsonObject, "__proto__")).toBe(false);
    expect(isAllowedByIntegrations({ constructor: false }, "constructor")).toBe(false);
  });

  it("is the formula of the law for every object (law 39)", () => {
    fc.assert(
      fc.property(integrationObjects("CRM"), (integrations) => {
        const own = Object.getOwnPropertyDescriptor(integrations, "CRM")?.value as unknown;
        const all = Object.getOwnPropertyDescriptor(integrations, "All")?.value as unknown;
        const says = typeof own === "boolean" || Object.prototype.toString.call(own) === "[object Object]";
        const expected = says ? own !== false : all !== false;
        expect(isAllowedByIntegrations(integrations, "CRM")).toBe(expected);
      }),
    );
  });

  it("uses the batch's object only for keys that the call does not have, as if both were merged", () => {
    const maybe = fc.option(integrationObjects("CRM"), { nil: undefined });
    fc.assert(
      fc.property(maybe, maybe, (own, shared) => {
        const merged = own === undefined && shared === undefined ? undefined : { ...shared, ...own };
        expect(isAllowedByIntegrations(own, "CRM", shared)).toBe(isAllowedByIntegrations(merged, "CRM"));
      }),
    );
    expect(isAllowedByIntegrations({ CRM: undefined }, "CRM", { CRM: false })).toBe(true);
  });
});

it.each<[JsonObject | undefined, JsonObject | undefined, boolean]>([
  [undefined, undefined, true],
  [undefined, { CRM: false }, false],
  [undefined, { All: false }, false],
  [{}, { CRM: false }, false],
  [{ CRM: true }, { CRM: false }, true],
  [{ CRM: true }, { All: false }, true],
  [{ All: true }, { CRM: false }, false],
  [{ All: true }, { All: false }, true],
])("a call with %j in a batch with %j is allowed: %s", (own, shared, decision) => {
  expect(isAllowedByIntegrations(own, "CRM", shared)).toBe(decision);
});

describe("hasMisspeltAll", () => {
  it.each([{ all: false }, { ALL: true }, { aLl: false, CRM: true }])("detects it in %j", (integrations) => {
    expect(hasMisspeltAll(integrations)).toBe(true);
  });

  it.each([undefined, {}, { All: false }, { All: true, all: false }, { all: "false" }, { allow: false }])(
    "sees none in %j",
    (integrations) => {
      expect(hasMisspeltAll(integrations)).toBe(false);
    },
  );

  it("ignores inherited keys in another case", () => {
    expect(hasMisspeltAll(Object.create({ all: false }) as object as never)).toBe(false);
  });
});
