// Within a version, the API and the config only gain: what the documents of the last release promise, those of today promise too.
// `npm run release -- --set-version` copies the documents of a release beside this file. Before the first release there are none, and
// nothing is promised yet.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { CONFIG_VERSION } from "@postrider/relay/settings";
import { describe, expect, it } from "vitest";
import { API_VERSION } from "../../packages/http/src/api/contract/operation.js";
import { read, ROOT } from "../house/packages.js";
import { lossesOfApi, lossesOfSchema, type Node } from "./losses.js";

const json = (path: string): Node => JSON.parse(read(path)) as Node;
const api = json("docs/openapi.json");
const config = json("packages/postrider/postrider.schema.json");
const formerApi = lastRelease("openapi.json") ?? api;
const formerConfig = lastRelease("postrider.schema.json") ?? config;

/** The versions of which the copies are. A new version needs new copies, and a row in docs/stability.md. */
const KEPT = { api: 1, config: 1 };

describe("within its version", () => {
  it("the API of the last release is kept", () => {
    expect(KEPT.api).toBe(API_VERSION);
    expect(lossesOfApi({ former: formerApi, later: api })).toEqual([]);
  });

  it("a config that the last release took is taken", () => {
    expect(KEPT.config).toBe(CONFIG_VERSION);
    expect(lossesOfSchema({ former: formerConfig, later: config })).toEqual([]);
  });
});

function lastRelease(name: string): Node | undefined {
  const path = `test/kept/${name}`;
  return existsSync(join(ROOT, path)) ? json(path) : undefined;
}

/** All copies of a value that lack one key of one object that has the name. */
function withoutEach(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value))
    return value.flatMap((one, index) => withoutEach(one, name).map((changed) => value.with(index, changed)));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === name && typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? [...withoutKeys(inner).map((less) => ({ ...value, [key]: less })), ...deeper(value, key, inner)]
      : deeper(value, key, inner),
  );

  function deeper(whole: object, key: string, inner: unknown): readonly unknown[] {
    return withoutEach(inner, name).map((changed) => ({ ...whole, [key]: changed }));
  }
}

/** The paths of a document, with the answers if nothing is wrong. */
function withoutRefusals(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !/^[45]\d\d$/.test(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutRefusals(inner)]));
}

function withoutKeys(value: object): readonly object[] {
  return Object.keys(value).map((gone) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== gone)));
}

describe("a loss is found", () => {
  const { paths, components } = api as { readonly paths: Node; readonly components: { readonly schemas: Node } };
  const later = (changes: object): readonly string[] => lossesOfApi({ former: api, later: { ...api, ...changes } });
  const answered = (before: object, after: object): readonly string[] => {
    const of = (schema: object): Node => ({
      paths: { "/a": { get: { responses: { "200": { content: { json: { schema } } } } } } },
    });
    return lossesOfApi({ former: of(before), later: of(after) });
  };

  it("of each path of the API", () => {
    expect(later({})).toEqual([]);
    for (const less of withoutKeys(paths)) expect(later({ paths: less })).not.toEqual([]);
  });

  it("of each key of each answer and body", () => {
    // Errors are no promise about what is answered if nothing is wrong.
    const { schemas } = components;
    const names = Object.keys(schemas).filter((name) => !name.endsWith("Error"));
    for (const name of names) {
      const changed = withoutEach({ properties: (schemas[name] as Node)["properties"] }, "properties");
      expect(changed.length).toBeGreaterThan(0);
      for (const less of changed) {
        const schema = { ...(schemas[name] as object), ...(less as object) };
        expect(later({ components: { schemas: { ...schemas, [name]: schema } } }), name).not.toEqual([]);
      }
    }
    const former = { ...api, paths: withoutRefusals(paths) };
    const inline = withoutEach(former.paths, "properties");
    expect(inline.length).toBeGreaterThan(0);
    for (const less of inline) expect(lossesOfApi({ former, later: { ...api, paths: less } })).not.toEqual([]);
  });

  it("of each key of the config", () => {
    const changed = withoutEach(config, "properties") as readonly Node[];
    expect(changed.length).toBeGreaterThan(40);
    for (const less of changed) expect(lossesOfSchema({ former: config, later: less })).not.toEqual([]);
  });

  it("of a word that may be sent, of a bound, and of what may be left out", () => {
    const sent = (former: Node, after: Node): readonly string[] => lossesOfSchema({ former, later: after });
    expect(sent({ enum: ["a", "b"] }, { enum: ["a"] })).toEqual([": no b"]);
    expect(sent({ enum: ["a"] }, { enum: ["a", "b"] })).toEqual([]);
    expect(sent({ type: "string" }, { type: "string", enum: ["a"] })).toEqual([": no other words"]);
    expect(sent({ maximum: 5 }, { maximum: 4 })).toEqual([": narrower bounds"]);
    expect(sent({ maximum: 5 }, { maximum: 6 })).toEqual([]);
    expect(sent({ minItems: 1 }, { minItems: 2 })).toEqual([": narrower bounds"]);
    expect(sent({ required: [] }, { required: ["a"] })).toEqual([".a: is required now"]);
    expect(sent({ anyOf: [{ type: "string" }, { type: "null" }] }, { type: "string" })).not.toEqual([]);
    expect(sent({ type: "string" }, { anyOf: [{ type: "string" }, { type: "null" }] })).toEqual([]);
  });

  it("of a key that is not always answered any more, of a type, and where null may come", () => {
    const key = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    expect(answered(key, key)).toEqual([]);
    expect(answered(key, { ...key, required: [] })).toEqual(["get /a 200.a: is not always there"]);
    expect(answered(key, { ...key, properties: { a: { type: "integer" } } })).toEqual(["get /a 200.a: another type"]);
    const orNull = { anyOf: [{ type: "string" }, { type: "null" }] };
    expect(answered({ type: "string" }, orNull)).toEqual(["get /a 200: may be null"]);
    expect(answered({ type: "array", items: { type: "string" } }, { type: "array", items: orNull })).not.toEqual([]);
  });

  it("but not where an answer gets a key, a word or a kind", () => {
    const key = { type: "object", properties: { a: { enum: ["x"] } }, required: ["a"] };
    const more = { type: "object", properties: { a: { enum: ["x", "y"] }, b: {} }, required: ["a", "b"] };
    expect(answered(key, more)).toEqual([]);
    expect(answered({ anyOf: [key] }, { anyOf: [key, { type: "object", properties: { c: {} } }] })).toEqual([]);
  });
  it("not of kinds that are parted, if none of them is gone", () => {
    const kinds = (...words: readonly string[]) => ({ type: "object", properties: { kind: { enum: words } } });
    const more = { type: "object", properties: { kind: { enum: ["b"] }, since: {} } };
    const other = kinds("z");
    expect(answered({ anyOf: [kinds("a", "b"), other] }, { anyOf: [kinds("a"), more, other] })).toEqual([]);
    expect(answered({ anyOf: [kinds("a", "b"), other] }, { anyOf: [kinds("a"), other] })).not.toEqual([]);
    expect(answered({ anyOf: [kinds("a"), more, other] }, { anyOf: [kinds("a", "b"), other] })).not.toEqual([]);
  });
});
