// The store that the settings name: one that cannot be used is reported, with the path as the settings have it.

import { createSecret } from "@postrider/core";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSystemClock } from "@postrider/system";
import { openStore } from "../../../packages/postrider/src/assembly/open-store.js";
import { tempFolder } from "../config-file.js";

const PORTS = { logger: { log: () => undefined }, clock: createSystemClock() };

describe("the store that the settings name", () => {
  it("is a file, and both stores on it are closed by one call", async () => {
    const opened = await openStore({ kind: "sqlite", path: join(tempFolder(), "p.db") }, PORTS);
    if (opened.kind === "refused") throw new Error(opened.reason);
    const { store, audiences } = opened.stores;
    expect(await store.counts()).toEqual([]);
    await opened.stores.close();
    await expect(audiences?.sets("")).rejects.toMatchObject({ code: "unavailable" });
    await expect(store.counts()).rejects.toMatchObject({ code: "unavailable" });
  });

  it("is in memory, and has nothing left to abandon", async () => {
    const opened = await openStore({ kind: "memory" }, PORTS);
    if (opened.kind === "refused") throw new Error(opened.reason);
    await opened.stores.abandon();
    expect(await opened.stores.audiences?.sets("")).toEqual([]);
    await opened.stores.close();
  });

  it("is a database that does not answer, which is reported without its password", async () => {
    const url = createSecret("postgres://ann:pass-of-ann@127.0.0.1:1/calls?sslmode=disable");
    expect(await openStore({ kind: "postgres", url }, PORTS)).toEqual({
      kind: "refused",
      reason: expect.stringMatching(/^postgres:\/\/ann@127\.0\.0\.1:1\/calls: .*no server listens there/u) as string,
    });
  });

  it.each([
    ["connections=2", 'connections is a whole number from 3 to 100, not "2"'],
    ["connections=many&hints=off", 'connections is a whole number from 3 to 100, not "many"'],
    ["hints=no", 'hints is on or off, not "no"'],
  ])("is a database whose URL asks for %s, which is reported", async (query, reason) => {
    const url = createSecret(`postgres://ann@127.0.0.1:1/calls?${query}`);
    expect(await openStore({ kind: "postgres", url }, PORTS)).toEqual({
      kind: "refused",
      reason: `postgres://ann@127.0.0.1:1/calls: ${reason}`,
    });
  });

  it("is reported as unusable, with its path and the reason", async () => {
    const path = join(tempFolder(), "nowhere", "p.db");
    expect(await openStore({ kind: "sqlite", path }, PORTS)).toEqual({
      kind: "refused",
      reason: `cannot use the store ${path}: its folder does not exist`,
    });
  });
});
