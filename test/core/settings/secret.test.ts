import { createSecret } from "@postrider/core";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";

describe("createSecret", () => {
  const secret = createSecret("CANARY");

  it("returns its text from reveal", () => {
    expect(secret.reveal()).toBe("CANARY");
  });

  it.each<[string, (value: unknown) => string]>([
    ["JSON.stringify", (value) => JSON.stringify({ value })],
    ["String", String],
    ["inspection", (value) => inspect(value, { depth: 9, showHidden: true })],
    ["its entries", (value) => String(Object.entries(value as object))],
  ])("shows nothing to %s", (_, show) => {
    expect(show(secret)).not.toContain("CANARY");
  });
});
