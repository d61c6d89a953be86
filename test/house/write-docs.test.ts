import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { deliveryStatesPage } from "./write-docs.js";

it("docs/delivery-states.md is what write-docs.js makes of the table (else run npm run docs)", () => {
  const page = readFileSync(new URL("../../docs/delivery-states.md", import.meta.url), "utf8");
  expect(page).toBe(deliveryStatesPage());
});
