// The OpenAPI document says what the API does, in both directions: each route is played, and each refusal that the document names
// is caused. The rig throws if an answer differs from the document.

import { readFileSync } from "node:fs";
import { createWebHandler } from "@postrider/http";
import { describe, expect, it } from "vitest";
import { codesOf } from "../../../packages/http/src/api/contract/refusals.js";
import type { ApiOperation } from "../../../packages/http/src/api/contract/operation.js";
import { DESCRIBED } from "../../../packages/http/src/api/routes.js";
import { createRig, type Told } from "../rig.js";
import { createCheckedApi } from "./checked-api.js";
import { DOCUMENT, OPERATIONS, validate } from "./contract.js";
import { validateOpenapi } from "./meta-schema.js";
import { ASKS, createStage, REFUSALS_OF, requestOf, SCENES, UNREAD, withFault } from "./plays.js";

const ROWS = DESCRIBED.map(({ operation, method, template }) => ({ id: operation.id, operation, method, template }));

function codeOf({ body }: Told): unknown {
  return (body as { readonly code?: unknown } | null)?.code;
}

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", () => {
    expect(validateOpenapi(JSON.parse(JSON.stringify(DOCUMENT)))).toEqual([]);
    expect(validateOpenapi({ ...DOCUMENT, paths: { "/api": { get: { responses: 7 } } } })).not.toEqual([]);
  });

  it("has a separate id for each operation, and no other operation than those of the routes", () => {
    expect([...OPERATIONS.keys()]).toEqual(ROWS.map(({ id }) => id));
    expect(Object.keys(DOCUMENT.paths)).toEqual([...new Set(ROWS.map(({ template }) => template))]);
  });

  it("refers only to components that it has, and has none to which nothing refers", () => {
    const referred = [...JSON.stringify(DOCUMENT).matchAll(/"\$ref":"#\/components\/(\w+)\/([\w-]+)"/g)];
    const names = new Set(referred.map(([, group = "", name = ""]) => `${group}/${name}`));
    const { schemas, responses } = DOCUMENT.components;
    const has = [
      ...Object.keys(schemas).map((name) => `schemas/${name}`),
      ...Object.keys(responses).map((name) => `responses/${name}`),
    ];
    expect([...names].sort()).toEqual(has.sort());
  });

  it("is served as it is, and published as docs/openapi.json (else run npm run docs)", async () => {
    const { status, body } = await createRig().get("/api/openapi.json");
    expect([status, body]).toEqual([200, JSON.parse(JSON.stringify(DOCUMENT))]);
    const published = readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8");
    expect(JSON.parse(published)).toEqual(body);
  });

  it("refuses, of an answer, a key that is missing and a value of another type", () => {
    const lane = { $ref: "doc:#/components/schemas/EndpointHold" };
    expect(validate(lane, { endpoint: "e", until: "2026-01-31T12:00:00.000Z" }, "it")).toEqual([]);
    expect(validate(lane, { endpoint: "e" }, "it")).not.toEqual([]);
    expect(validate(lane, { endpoint: "e", until: "today" }, "it")).not.toEqual([]);
    expect(validate(lane, { endpoint: 1, until: "2026-01-31T12:00:00.000Z" }, "it")).not.toEqual([]);
  });
});

/** For requests that are refused before it matters whether there is such a thing. */
const NAMES = { delivery: "1", deletion: "1", job: "1" };

describe("each operation of the document", () => {
  it("is played here", () => {
    expect(Object.keys(ASKS).sort()).toEqual([...OPERATIONS.keys()].sort());
  });

  it.each(ROWS)("$id answers as it says", async ({ id, operation }) => {
    const stage = await createStage();
    const told = await (SCENES[id]?.() ?? stage.rig.send(requestOf(ASKS[id]!, stage)));
    expect(told.status).toBe(operation.answer.status);
  });

  it.each(ROWS)("$id refuses by each code that it names", async ({ operation }) => {
    const caused = new Set<unknown>();
    for (const play of playsOf(operation)) caused.add(codeOf(await play()));
    const named = codesOf(operation);
    expect(named.filter((code) => !caused.has(code))).toEqual([]);
  });

  /** What causes refusals of an operation; a play may also succeed where an operation has no such refusal. */
  function playsOf({ id, ...operation }: ApiOperation): readonly (() => Promise<Told>)[] {
    const ask = ASKS[id]!;
    const send = async (changes: object): Promise<Told> => {
      const stage = await createStage();
      return stage.rig.send({ ...requestOf(ask, stage), ...changes });
    };
    const body = (text: string): object => ({ body: { kind: "read", bytes: new TextEncoder().encode(text) } });
    const faulty = (code: string) => async (): Promise<Told> => {
      const rig = withFault({ code });
      return rig.send(requestOf(ask, { rig, ...NAMES }));
    };
    return [
      () => send({ headers: new Map() }),
      () => send({ query: "nonsense=1" }),
      ...["{", "[".repeat(300), "[]"].map((text) => () => send(body(text))),
      ...UNREAD.map((unread) => () => send({ body: unread })),
      faulty("unavailable"),
      ...(operation.refusals.includes("not-supported") ? [faulty("not-supported")] : []),
      () => off(id),
      () => guessed(id),
      () => broken(id),
      ...REFUSALS_OF.filter(([operation]) => operation === id).map(([, , play]) => play),
    ];
  }

  /** Without a token in the settings. */
  async function off(id: string): Promise<Told> {
    const rig = createRig({ api: { apiToken: () => undefined } });
    return rig.send(requestOf(ASKS[id]!, { rig, ...NAMES }));
  }

  /** With a wrong token, after as many as an address may show. */
  async function guessed(id: string): Promise<Told> {
    const rig = createRig({ api: { clock: createRig().clock } });
    const asked = { ...requestOf(ASKS[id]!, { rig, ...NAMES }), remoteAddress: "203.0.113.7" };
    const guess = (token: number): Promise<Told> =>
      rig.send({ ...asked, headers: new Map([["authorization", `Bearer ${String(token)}`]]) });
    for (let token = 0; token < 100; token += 1) await guess(token);
    return guess(100);
  }

  /** By a bug, which the listener answers. */
  async function broken(id: string): Promise<Told> {
    const { relay } = createRig();
    const web = createWebHandler(createCheckedApi({ relay, apiToken: bug, fault: bug }));
    const stage = { rig: createRig(), ...NAMES };
    const { method, path, query } = requestOf(ASKS[id]!, stage);
    const answer = await web(new Request(`http://localhost${path}?${query}`, { method }));
    return { status: answer.status, body: await answer.json(), headers: new Map(answer.headers) };
  }

  function bug(): never {
    throw new Error("a bug");
  }
});
