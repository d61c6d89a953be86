// The published JSON Schema and the table of keys agree with the decoder, since all three come from one table.

import { expect, it } from "vitest";
import { read } from "./packages.js";
import { expectNone } from "./violations.js";
import { keyPaths, readmeWithKeys, schemaText } from "./write-schema.js";

const README = "packages/postrider/README.md";

it("postrider.schema.json is what write-schema.js makes of the table (else run npm run docs)", async () => {
  expect(read("packages/postrider/postrider.schema.json")).toBe(await schemaText());
});

it("the README of postrider has the table of all keys (else run npm run docs)", async () => {
  const readme = read(README);
  expect(readme).toBe(await readmeWithKeys(readme));
  expect(keyPaths()).toContain("destinations[].standardWebhooks");
  expect(keyPaths()).toContain("destinations[].sources[].mode");
  const missing = keyPaths().filter((path) => !readme.includes(`| \`${path}\``));
  expectNone(missing.map((path) => `${README}: has no row of ${path}: run \`npm run docs\``));
});

it("postrider.schema.json is published with the package", () => {
  const manifest = JSON.parse(read("packages/postrider/package.json")) as Record<string, unknown>;
  expect(manifest["files"]).toContain("postrider.schema.json");
  expect(manifest["exports"]).toMatchObject({ "./postrider.schema.json": "./postrider.schema.json" });
});
