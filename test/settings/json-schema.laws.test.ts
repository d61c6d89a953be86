// The JSON Schema and the decoder agree on every config, except for the rules of `ONLY_DECODER`, which a schema cannot express.

import { decodeConfig, expandReferences } from "@postrider/relay/settings";
import type { Problem, ProblemCode } from "@postrider/core";
import { RESERVED_HEADERS } from "@postrider/core/engine";
import { jsonValues, nastyStrings, workspaces } from "@postrider/testkit/arbitraries";
import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configJsonSchema } from "../../packages/relay/src/settings/config/config-settings.js";
import { fileOf, replaceAt } from "./workspace-files.js";

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictRequired: false });
ajv.addVocabulary(["patternErrorMessage"]);
const isValidBySchema = ajv.compile(configJsonSchema);

const SOURCE = { id: "a", writeKey: "wk_a" };
const ENDPOINT = { url: "https://example.com/hook" };
const DESTINATION = { id: "d", sources: ["a"], endpoints: [ENDPOINT] };

interface OnlyDecoder {
  readonly code: ProblemCode;
  readonly path: RegExp;
  readonly because: "it compares several values" | "it needs a parser" | "the length counts UTF-16 units";
  readonly example: object;
}

function withDestination(changes: object): object {
  return { sources: [SOURCE], destinations: [{ ...DESTINATION, ...changes }] };
}

/** All rules that the decoder has and the schema has not. */
const ONLY_DECODER: readonly OnlyDecoder[] = [
  compared("duplicate-id", /^(sources|destinations)\[\d+\]\.id$/, { sources: [SOURCE, { ...SOURCE, writeKey: "b" }] }),
  compared("duplicate-write-key", /^sources\[\d+\]\.writeKey$/, { sources: [SOURCE, { ...SOURCE, id: "b" }] }),
  compared("unknown-source", /\.sources\[\d+\]$/, withDestination({ sources: ["b"] })),
  compared("duplicate-source", /\.sources\[\d+\]$/, withDestination({ sources: ["a", { source: "a" }] })),
  compared("duplicate-endpoint", /\.url$/, withDestination({ endpoints: [ENDPOINT, ENDPOINT] })),
  compared(
    "duplicate-header",
    /\.headers/,
    withDestination({ endpoints: [{ ...ENDPOINT, headers: { a: "", A: "" } }] }),
  ),
  compared("below-minimum", /^delivery\.leaseMs$/, { delivery: { leaseMs: 5_001 } }),
  compared("below-minimum", /^delivery\.maxRetryMs$/, { delivery: { maxRetryMs: 1 } }),
  parsed("bad-url", /\.url$/, withDestination({ endpoints: [{ url: "https://[::" }] })),
  parsed("url-credentials", /\.url$/, withDestination({ endpoints: [{ url: "https://u:p@example.com" }] })),
  parsed("wrong-type", /^(trustedProxies|network\.allow)\[\d+\]$/, { trustedProxies: ["300.0.0.1"] }),
  {
    code: "url-too-long",
    path: /\.url$/,
    because: "the length counts UTF-16 units",
    example: withDestination({ endpoints: [{ url: `https://example.com/${"\u{1f600}".repeat(1_020)}` }] }),
  },
];

function compared(code: ProblemCode, path: RegExp, example: object): OnlyDecoder {
  return { code, path, because: "it compares several values", example };
}

function parsed(code: ProblemCode, path: RegExp, example: object): OnlyDecoder {
  return { code, path, because: "it needs a parser", example };
}

function isOnlyDecoder({ code, path }: Problem): boolean {
  return ONLY_DECODER.some((rule) => rule.code === code && rule.path.test(path));
}

function problemsOf(value: unknown): readonly Problem[] {
  const result = decodeConfig(value);
  return result.kind === "refused" ? result.problems : [];
}

/** What the schema and the decoder say of a value; they agree if both are true, or both false. */
function judge(value: unknown): { readonly schema: boolean; readonly decoder: boolean } {
  const schema = isValidBySchema(value);
  const problems = problemsOf(value);
  // Without the rules that only the decoder has, a refusal has to be one of the schema too; what the schema refuses, the
  // decoder refuses.
  return { schema, decoder: schema ? problems.every(isOnlyDecoder) : problems.length === 0 };
}

function agrees(value: unknown): void {
  const { schema, decoder } = judge(value);
  const told = () => JSON.stringify({ value, errors: isValidBySchema.errors, problems: problemsOf(value) });
  expect(schema === decoder, schema === decoder ? "" : told()).toBe(true);
}

/** A text that is a reference is read before the decoder sees the config. */
function isReference(text: string): boolean {
  return /^(?:env|file):/.test(text);
}

const texts = fc.oneof(
  nastyStrings().filter((text) => !isReference(text)),
  fc.constantFrom(
    ...["", " ", "All", "a", "cloud", "device", "memory:", "sqlite:", "sqlite:x", "sqlite:\n", "\u3000", "\ufeff"],
    ...["sha256:", `sha256:${"a".repeat(64)}`, `sha256:${"A".repeat(64)}`, "k:v", "10.0.0.0/8", "::1", "10.0.0.0/99"],
    ...[
      "x".repeat(15),
      "x".repeat(16),
      ` ${"x".repeat(15)}`,
      "\u{1f600}".repeat(15),
      "http:",
      "http://e.com/#",
      "HTTP:e",
    ],
    ...["ftp://e.com", "https://e.com/ ", `https://e.com/${"a".repeat(2_040)}`, "-----BEGIN CERTIFICATE-----"],
  ),
);
const numbers = fc.oneof(fc.constantFrom(-1, -0, 0, 0.5, 1, 1.5, 65_535, 65_536, 2 ** 53, 1e300), fc.integer());
const names = fc.constantFrom("", "Host", "hOST", "x-a", "X-Signature", "webhook-id", "Proxy-A", "hosts", "a b", "é");
const headers = fc.dictionary(fc.oneof(names, fc.constantFrom(...RESERVED_HEADERS)), texts, { maxKeys: 7 });
const values = fc.oneof(texts, numbers, headers, fc.boolean(), jsonValues(), fc.constant([]), fc.constant({}));

const servers = fc.record(
  {
    $schema: texts,
    listen: fc.record({ host: texts, port: numbers }, { requiredKeys: [] }),
    store: texts,
    apiToken: texts,
    trustedProxies: fc.array(texts, { maxLength: 2 }),
    sealingKeys: fc.array(texts, { maxLength: 2 }),
    settingsReferences: fc.array(texts, { maxLength: 2 }),
    viewerToken: texts,
    console: fc.boolean(),
    senderThread: fc.boolean(),
    network: fc.record({ allow: fc.array(texts, { maxLength: 2 }), ca: fc.array(texts, { maxLength: 2 }) }),
  },
  { requiredKeys: [] },
);

/** The file of a workspace and of a server, with up to three values replaced. */
const files = fc
  .tuple(
    workspaces(),
    fc.option(servers, { freq: 2, nil: {} }),
    fc.array(fc.tuple(fc.nat({ max: 60 }), values), { maxLength: 3 }),
  )
  .map(([workspace, server, changes]) =>
    changes.reduce<unknown>((file, [at, value]) => replaceAt(file, at, () => value), {
      ...fileOf(workspace),
      ...server,
    }),
  )
  // The workspaces of the test kit have write keys and names that are no references.
  .filter((file) => !JSON.stringify(file).match(/"(?:env|file):/));

/** A config that has each key. */
const FULL = {
  $schema: "./postrider.schema.json",
  listen: { host: "127.0.0.1", port: 1 },
  store: "memory:",
  apiToken: "x".repeat(16),
  trustedProxies: ["10.0.0.1"],
  sealingKeys: ["z".repeat(16), "a".repeat(16)],
  settingsReferences: ["POSTRIDER_CRM", "postrider-secrets/*"],
  viewerToken: "y".repeat(16),
  console: false,
  senderThread: true,
  network: { allow: ["10.0.0.0/8"], ca: ["-----BEGIN CERTIFICATE-----"], maxConnectionAgeMs: 1 },
  sources: [{ ...SOURCE, name: "A", rateLimit: { perSecond: 5, burst: 5 } }],
  destinations: [
    {
      ...DESTINATION,
      sources: [{ source: "a", mode: "cloud" }],
      endpoints: [{ ...ENDPOINT, headers: { "X-A": "b" } }],
      ...{ name: "D", enabled: true, paused: false, acceptsHistorical: true, standardWebhooks: false },
      sharedSecret: ["s"],
      rateLimit: { perSecond: 5, burst: 5 },
    },
  ],
  delivery: { timeoutMs: 5, retryWindowMs: 5, firstRetryMs: 5, maxRetryMs: 5, maxRetryAfterMs: 5, leaseMs: 9_000 },
  retention: { deliveredHours: 5, deadHours: 5 },
  notify: [
    { ...ENDPOINT, headers: { "X-A": "b" }, sharedSecret: ["s"], standardWebhooks: true, on: ["deaths", "store"] },
  ],
};

/** The full config with one value replaced by another of the same type. */
const nearlyFull = fc
  .tuple(fc.nat({ max: 64 }), fc.record({ string: texts, number: numbers, object: headers }))
  .map(([at, others]) =>
    replaceAt(FULL, at, (old) => {
      if (Array.isArray(old)) return [...old, ...old, ...old, ...old, ...old, ...old];
      return typeof old === "boolean" ? !old : others[typeof old as "string" | "number" | "object"];
    }),
  );

/** Each setting of the schema, at any depth, with its path. */
function settingsIn(schema: SettingSchema, path = ""): readonly (readonly [path: string, schema: SettingSchema])[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const inner = `${path}.${key}`;
    return [[inner, field] as const, ...settingsIn(field, inner)];
  });
  const items = [schema.items, ...(schema.anyOf ?? [])].filter((item) => item !== undefined);
  return [...fields, ...items.flatMap((item) => settingsIn(item, path))];
}

interface SettingSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly items?: SettingSchema;
  readonly anyOf?: readonly SettingSchema[];
}

describe("the settings of the JSON Schema", () => {
  const settings = settingsIn(configJsonSchema);

  it("have each a description of some words", () => {
    expect(settings.length).toBeGreaterThan(50);
    for (const [path, { description = "" }] of settings) expect(description, path).toMatch(/^\S+( \S+){2,}[.]$/);
  });

  it("have no default, or a value that is valid; lists are empty by default", () => {
    const defaults = settings.filter(([, schema]) => schema.default !== undefined);
    expect(defaults.length).toBeGreaterThan(20);
    for (const [path, schema] of defaults) {
      if (Array.isArray(schema.default)) expect(schema.default, path).toEqual([]);
      if (/^[.]\w+$/.test(path)) expect(problemsOf({ [path.slice(1)]: schema.default }), path).toEqual([]);
    }
  });
});

describe("the JSON Schema of a config", () => {
  it("agrees with the decoder where one value of a valid config is replaced by another of its type", () => {
    expect(judge(FULL)).toEqual({ schema: true, decoder: true });
    fc.assert(fc.property(nearlyFull, agrees), { numRuns: 5_000 });
  });

  it("agrees with the decoder on every config, except for the named rules", () => {
    fc.assert(fc.property(files, agrees), { numRuns: 1_000 });
  });

  it("agrees on any JSON value", () => {
    const key = fc.constantFrom("listen", "store", "sources", "destinations", "delivery", "retention", "network", "x");
    fc.assert(fc.property(fc.oneof(values, fc.dictionary(key, values)), agrees), { numRuns: 1_000 });
  });

  it.each([
    { listen: { host: "" } },
    { apiToken: ` ${"x".repeat(15)} ` },
    { store: "sqlite:\n" },
    withDestination({ name: "All" }),
    withDestination({ endpoints: [] }),
    withDestination({ sharedSecret: [] }),
    withDestination({ sharedSecret: "\u3000" }),
    withDestination({ sources: [{ source: "a", mode: "device" }] }),
    withDestination({ endpoints: [{ ...ENDPOINT, headers: { hOsT: "x" } }] }),
    withDestination({ endpoints: [{ ...ENDPOINT, headers: { "x-n": "\n" } }] }),
    withDestination({ rateLimit: { perSecond: 1, burst: 0.5 } }),
    withDestination({
      endpoints: [
        { ...ENDPOINT, headers: Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [name, ""])) },
      ],
    }),
    { delivery: { timeoutMs: 0 } },
    { retention: { deadHours: 0 } },
    { destnations: [] },
    { settings: "files" },
  ])("refuses %j, as the decoder does", (value) => {
    expect([isValidBySchema(value), problemsOf(value).length > 0]).toEqual([false, true]);
  });

  it.each(ONLY_DECODER)("cannot say $code of $path: $because", ({ code, path, example }) => {
    expect(isValidBySchema(example), JSON.stringify(isValidBySchema.errors)).toBe(true);
    expect(problemsOf(example)).toEqual([
      expect.objectContaining({ code, path: expect.stringMatching(path) as string }),
    ]);
  });

  it("takes a reference in place of each text that the decoder takes", () => {
    fc.assert(
      fc.property(workspaces(), fc.nat({ max: 60 }), (workspace, at) => {
        let taken = "";
        const file = replaceAt({ apiToken: "x".repeat(16), store: "memory:", ...fileOf(workspace) }, at, (old) => {
          if (typeof old !== "string") return old;
          taken = old;
          return "env:NAME";
        });
        expect(isValidBySchema(file), JSON.stringify(isValidBySchema.errors)).toBe(true);
        const expanded = expandReferences(file, { env: () => taken, file: () => undefined });
        expect(expanded.kind === "ok" ? problemsOf(expanded.value) : expanded).toEqual([]);
      }),
    );
  });

  it("describes each key", () => {
    const missing: string[] = [];
    const walk = ({ properties = {}, items }: SchemaPart, path: string): void => {
      if (items !== undefined) walk(items, `${path}[]`);
      for (const [key, field] of Object.entries(properties)) {
        if (field.description === undefined) missing.push(`${path}.${key}`);
        walk(field, `${path}.${key}`);
      }
    };
    walk(configJsonSchema, "");
    expect(missing).toEqual([]);
  });

  it("has the defaults of the decoder", () => {
    const decoded = decodeConfig(withDestination({}));
    if (decoded.kind === "refused") throw new Error("it is good");
    const { server, workspace } = decoded.value;
    const { properties = {} } = configJsonSchema as SchemaPart;
    const defaultsOf = (part: SchemaPart | undefined): object =>
      Object.fromEntries(
        Object.entries(part?.properties ?? {}).flatMap(([key, field]) =>
          "default" in field ? [[key, field.default]] : [],
        ),
      );
    expect(server).toMatchObject({
      listen: defaultsOf(properties["listen"]),
      network: defaultsOf(properties["network"]),
    });
    expect(properties["store"]?.default).toBe("sqlite:./postrider.db");
    expect(server.store).toEqual({ kind: "sqlite", path: "./postrider.db" });
    expect({ ...workspace.delivery, ...defaultsOf(properties["delivery"]) }).toEqual(workspace.delivery);
    expect(workspace.retention).toEqual(defaultsOf(properties["retention"]));
    expect(workspace.destinations[0]).toMatchObject(defaultsOf(properties["destinations"]?.items));
  });
});

interface SchemaPart {
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly items?: SchemaPart;
}
