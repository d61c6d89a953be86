// The functions treat wrong arguments and bugs as docs/errors.md says.

import { checkSettings, createRelay, type RelayOptions } from "@postrider/relay";
import { createClient } from "@postrider/client";
import { createNodeListener } from "@postrider/http";
import { createSqliteStore, type SqliteDatabase } from "@postrider/sqlite";
import { openStores } from "@postrider/sqlite/file";
import { createUndiciHttp } from "@postrider/undici";
import { decodeWorkspace } from "@postrider/relay/settings";
import { verifySignature, verifyStandardWebhook } from "@postrider/core";
import { DOCS_URL } from "@postrider/core/engine";
import { rootCertificates } from "node:tls";
import { describe, expect, it } from "vitest";
import { API_CODES, refuse } from "../../packages/http/src/api/refuse.js";
import { textOf } from "../http/request.js";
import { createMemoryPorts } from "../memory-ports.js";
import { read } from "./packages.js";

const ports = createMemoryPorts();
const { clock } = ports;
const decoded = decodeWorkspace({ sources: [{ id: "website", writeKey: "wk_website" }] });
const workspace = decoded.kind === "ok" ? decoded.value : undefined!;
const twice = { ...workspace, sources: [...workspace.sources, ...workspace.sources] };
const newRelay = (settings: RelayOptions["workspace"]) => createRelay({ ...ports, workspace: settings });

const listen = (trustedProxies: readonly string[]) =>
  createNodeListener(() => Promise.reject(new Error("nothing is asked here")), { trustedProxies });
const [authority = ""] = rootCertificates;
const NO_NETWORK = { allow: ["ten"], ca: [authority, authority.slice(0, 200)] };
const proxyAt = (index: number): string => `trustedProxies[${String(index)}]`;

/** The error that a function throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return "nothing";
}

/** An open connection of a SQLite that is too old. */
const TOO_OLD: SqliteDatabase = {
  exec: () => undefined,
  prepare: () => ({
    run: () => ({ changes: 0, lastInsertRowid: 0 }),
    get: () => ({ version: "3.40.0" }),
    all: () => [],
  }),
  close: () => undefined,
};

describe("docs/errors.md: with wrong arguments", () => {
  it.each([
    ["createClient", () => createClient("", { endpoint: "no address" }), ["writeKey", "endpoint"]],
    ["createRelay", () => newRelay(twice), ["workspace.sources[1].id", "workspace.sources[1].writeKey"]],
    ["createUndiciHttp", () => createUndiciHttp({ clock, network: NO_NETWORK }), ["network.allow[0]", "network.ca[1]"]],
    ["createNodeListener", () => listen(["10.0.0.1", "ten", "10.0.0.0/", "10.0.0.0/33"]), [1, 2, 3].map(proxyAt)],
    ["createNodeListener", () => listen(["10.0.0.0/08", "fe80::1%eth0", "::ffff:10.0.0.0/90"]), [0, 1, 2].map(proxyAt)],
  ])("%s throws an OptionsError that names each problem with its place", (made, work, paths) => {
    const error = thrownBy(work);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({
      code: "bad-options",
      problems: paths.map((path) => expect.objectContaining({ path }) as object),
    });
    expect(String(error)).toContain(`TypeError: ${made}: `);
    for (const path of paths) expect(String(error)).toContain(`${path}: expected `);
  });

  it("checkSettings answers the problems of settings, for a host that must not throw", () => {
    expect(checkSettings(workspace).isOk()).toBe(true);
    expect(checkSettings(twice)._unsafeUnwrapErr()[0]).toMatchObject({ path: "sources[1].id" });
  });

  it("createSqliteStore throws a StoreError", () => {
    expect(thrownBy(() => createSqliteStore({ database: TOO_OLD }))).toHaveProperty("code", "unavailable");
  });

  it("openStores rejects with one of its codes", async () => {
    await expect(openStores("/no/such/folder/file.db")).rejects.toHaveProperty("code", "path-unusable");
  });
});

describe("docs/errors.md: an error names the address of its row", () => {
  const page = read("docs/errors.md");
  const rowOf = (docs: unknown): boolean =>
    page.includes(`<a id="${String(docs).replace(`${DOCS_URL}/errors.md#`, "")}">`);

  it("which is a page of the repository", () => {
    const { homepage } = JSON.parse(read("package.json")) as { readonly homepage: string };
    expect(DOCS_URL).toBe(`${homepage.replace("#readme", "")}/blob/main/docs`);
  });

  it("where options are wrong", () => {
    const error = thrownBy(() => createClient("", { endpoint: "no address" }));
    expect(error).toHaveProperty("docs", `${DOCS_URL}/errors.md#options`);
    expect(page).toContain("\n### Options\n");
  });

  it("where a file cannot be opened", async () => {
    const error: unknown = await openStores("/no/such/folder/file.db").catch((thrown: unknown) => thrown);
    expect(error).toHaveProperty("docs", `${DOCS_URL}/errors.md#file-path-unusable`);
    expect(error).toSatisfy(({ docs }: Documented) => rowOf(docs));
  });

  it.each(API_CODES)("where the API answers %s", (code) => {
    const { error } = JSON.parse(textOf(refuse(400, code, "a message"))) as { readonly error: Documented };
    expect(error).toSatisfy(({ docs }: Documented) => rowOf(docs));
  });
});

interface Documented {
  readonly docs: unknown;
}

describe("docs/errors.md: otherwise", () => {
  it("a store rejects with a StoreError", async () => {
    const { store: closed } = createMemoryPorts();
    await closed.close();
    await expect(closed.counts()).rejects.toHaveProperty("code", "unavailable");
  });

  it("verifying throws a TypeError for what is neither bytes nor text", () => {
    const parsed = { userId: "u1" } as unknown as string;
    expect(() => verifySignature("secret", parsed, "00")).toThrow(TypeError);
    const headers = { id: "msg_1", timestamp: "1", signature: "v1,AA==" };
    expect(() => verifyStandardWebhook(["secret"], parsed, headers, 1_000)).toThrow(TypeError);
  });

  it("every function of the table exists", () => {
    const table = read("docs/errors.md").split("with wrong arguments")[1]!;
    const names = [...table.split("## Bugs")[0]!.matchAll(/`((?:create|open)[A-Z]\w+)`/g)].map(([, name]) => name!);
    expect(names).toEqual([
      "createClient",
      "createRelay",
      "createUndiciHttp",
      "createNodeListener",
      "createSqliteStore",
      "openStores",
      "createMemoryStore",
      "createFetchHttp",
      "createSystemClock",
    ]);
  });
});
