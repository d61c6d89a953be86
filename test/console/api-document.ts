// The document of the API, for tests that try all of its routes.

import { readFileSync } from "node:fs";

interface ApiDocument {
  readonly paths: Readonly<Record<string, object>>;
}

// Safe cast: a test of the API compares the document with the routes.
export const API_DOCUMENT = JSON.parse(
  readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"),
) as ApiDocument;
