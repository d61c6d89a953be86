// Makes the second build of the client, for CommonJS: one file for each entry, with all that it imports. Node's `require` could
// load the modules themselves, but jest's cannot, and TypeScript's `node16` does not let it.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const PACKAGES = fileURLToPath(new URL("..", import.meta.url));

/** The sources, so that this build needs no other before it. */
const alias = {
  "@postrider/core/batch": `${PACKAGES}core/src/batch/index.ts`,
  "@postrider/system": `${PACKAGES}system/src/index.ts`,
};
const TYPES_OF_MODULE = '{ with: { "resolution-mode": "import" } }';

for (const entry of ["index", "durable/index", "indexeddb/index"]) await buildEntry(entry);

async function buildEntry(entry) {
  const path = `${PACKAGES}client/dist/${entry}`;
  const built = await rolldown({ input: `${PACKAGES}client/src/${entry}.ts`, platform: "neutral", resolve: { alias } });
  const { output } = await built.write({ file: `${path}.cjs`, format: "cjs", comments: false });
  await built.close();
  const [{ exports, imports }] = output;
  if (imports.length > 0) throw new Error(`the client imports ${imports.join()}`);
  const types = [
    'export type * from "./index.js" with { "resolution-mode": "import" };',
    ...exports.map((name) => `export declare const ${name}: typeof import("./index.js", ${TYPES_OF_MODULE}).${name};`),
  ];
  writeFileSync(`${path}.d.cts`, `${types.join("\n")}\n`);
}
