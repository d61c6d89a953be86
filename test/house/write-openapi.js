// Writes docs/openapi.json, the OpenAPI document that `GET /api/openapi.json` serves, from the routes of api. Run by `npm run docs`,
// after a build. test/api/contract/openapi.test.ts fails if the file is out of date.

import { writeFileSync } from "node:fs";
import { format } from "prettier";
import { openapiOf } from "../../packages/http/dist/api/contract/openapi.js";
import { DESCRIBED } from "../../packages/http/dist/api/routes.js";

const FILE = new URL("../../docs/openapi.json", import.meta.url);

export async function writeOpenapi() {
  writeFileSync(FILE, await format(JSON.stringify(openapiOf(DESCRIBED)), { parser: "json", printWidth: 120 }));
}
