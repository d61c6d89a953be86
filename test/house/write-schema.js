// Writes packages/postrider/postrider.schema.json and the table of keys in packages/postrider/README.md from the table of
// settings in relay. Run by `npm run docs`, after a build. A test beside this file fails if one of them is out of date.

import { readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import { configJsonSchema } from "../../packages/relay/dist/settings/config/config-settings.js";

const SCHEMA = new URL("../../packages/postrider/postrider.schema.json", import.meta.url);
const README = new URL("../../packages/postrider/README.md", import.meta.url);
const BEGIN = "<!-- The table of keys is written by `npm run docs`. -->\n";
const END = "<!-- End of the table of keys. -->\n";

/** The text of the schema file. */
export function schemaText() {
  return format(JSON.stringify(configJsonSchema), { parser: "json", printWidth: 120 });
}

/** The README with the table of keys in place of the one that it has. */
export async function readmeWithKeys(readme) {
  const [before, rest] = split(readme, BEGIN);
  const [, after] = split(rest, END);
  const table = await format(keysTable(), { parser: "markdown", printWidth: 120 });
  return `${before}${BEGIN}\n${table}\n${END}${after}`;
}

/** The paths of all keys, such as `destinations[].endpoints[].url`. */
export function keyPaths() {
  return rowsOf(configJsonSchema, "").map(({ path }) => path);
}

export async function writeSchema() {
  writeFileSync(SCHEMA, await schemaText());
  writeFileSync(README, await readmeWithKeys(readFileSync(README, "utf8")));
}

function split(text, mark) {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`the README lacks the line ${mark}`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function keysTable() {
  const rows = rowsOf(configJsonSchema, "").map(
    ({ path, schema, isRequired }) =>
      `| \`${path}\` | ${valueOf(schema)} | ${defaultOf(schema, isRequired)} | ${schema.description} |`,
  );
  return ["| key | value | default | meaning |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function rowsOf({ properties = {}, required = [] }, prefix) {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const path = `${prefix}${key}`;
    return [{ path, schema, isRequired: required.includes(key) }, ...rowsBelow(schema, path)];
  });
}

function rowsBelow(schema, path) {
  if (schema.type === "object") return rowsOf(schema, `${path}.`);
  const forms = schema.type === "array" ? (schema.items.anyOf ?? [schema.items]) : [];
  return forms.flatMap((form) => rowsBelow(form, `${path}[]`));
}

function valueOf(schema) {
  if (schema.anyOf !== undefined && schema.type === undefined) return schema.anyOf.map(valueOf).join(", or ");
  switch (schema.type) {
    case "boolean":
      return "true or false";
    case "integer":
      return schema.maximum === Number.MAX_SAFE_INTEGER
        ? `whole number, at least ${schema.minimum}`
        : `whole number, ${schema.minimum} to ${schema.maximum}`;
    case "number":
      return schema.minimum === undefined
        ? `number above ${schema.exclusiveMinimum}`
        : `number, at least ${schema.minimum}`;
    case "array":
      return `list${boundsOf(schema)}`;
    case "object":
      return schema.maxProperties === undefined ? "object" : `object of texts, at most ${schema.maxProperties}`;
    default:
      // A schema that no value fits is that of a function.
      return schema.type === undefined && schema.not !== undefined ? "function, in code" : "text";
  }
}

function boundsOf({ minItems, maxItems }) {
  if (maxItems !== undefined) return ` of ${minItems ?? 0} to ${maxItems}`;
  return minItems === undefined ? "" : ` of at least ${minItems}`;
}

function defaultOf(schema, isRequired) {
  if (isRequired) return "required";
  if (schema.default === undefined) return "";
  return Array.isArray(schema.default) ? "none" : `\`${String(schema.default)}\``;
}
