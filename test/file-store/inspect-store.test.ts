// A store is inspected without being opened: nothing changes, and a process that uses it is not disturbed.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Body, Changes, DestinationId, EpochMs, LeaseToken, SourceId } from "@postrider/core";
import { DatabaseSync } from "@photostructure/sqlite";
import { inspectStore, openStores } from "@postrider/sqlite/file";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../postrider/config-file.js";

const INSPECTING = fileURLToPath(new URL("programs/inspecting.js", import.meta.url));
const EXITING = fileURLToPath(new URL("programs/exiting.js", import.meta.url));

const NOW = 1_763_724_404_000 as EpochMs;

/** The changes of a commit that stores one call. */
function callOf(messageId: string): Changes {
  const call = { source: "web" as SourceId, messageId, type: "track" as const, receivedAt: NOW, filtered: [] };
  const deliveries = [{ destination: "crm" as DestinationId, start: { kind: "waiting", dueAt: NOW } as const }];
  const accept = [{ ...call, body: new Uint8Array(300) as Body, deliveries }];
  const lease = { token: "t" as LeaseToken, leaseMs: 30_000 };
  return { accept, replay: [], settle: [], append: [], tally: [], lease };
}

/** Everything in a folder: names, bytes, and when each was written. */
function contentOf(folder: string): readonly unknown[] {
  return readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return [name, readFileSync(path, "base64"), statSync(path).mtimeMs];
  });
}

/** What is found; the folder must not change meanwhile. */
function inspected(folder: string) {
  const before = contentOf(folder);
  const result = inspectStore(join(folder, "p.db"));
  expect(contentOf(folder)).toEqual(before);
  return result.kind === "ok" ? result.store : { code: result.error.code, message: result.error.message };
}

describe("a store that is inspected", () => {
  it("does not exist yet, and is not created", () => {
    const folder = tempFolder();
    expect(inspected(folder)).toMatchObject({ state: "new", isOlder: false });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is closed, in use, or was not closed", async () => {
    const folder = tempFolder();
    const file = join(folder, "p.db");
    const stores = await openStores(file);
    // Not by `inspected`, since reading the files in this process would release its locks on them.
    expect(inspectStore(file)).toMatchObject({ kind: "ok", store: { state: "in-use", isOlder: false } });
    await stores.close();
    expect(inspected(folder)).toMatchObject({ state: "closed", isOlder: false });
    expect(spawnSync(process.execPath, [EXITING, file, "3"], { encoding: "utf8" }).status).toBe(0);
    expect(inspected(folder)).toMatchObject({ state: "unclosed", isOlder: false });
  });

  it("is of an earlier version", async () => {
    const folder = tempFolder();
    await makeStore(folder);
    const database = new DatabaseSync(join(folder, "p.db"));
    database.exec("pragma user_version = 0; pragma wal_checkpoint(truncate)");
    database.close();
    expect(inspected(folder)).toMatchObject({ state: "closed", isOlder: true });
  });

  it("goes on to commit while another process inspects it again and again", async () => {
    const file = join(tempFolder(), "p.db");
    const stores = await openStores(file);
    const child = spawn(process.execPath, [INSPECTING, file, "200"], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const out = child.stdout.setEncoding("utf8").toArray();
    const life = { isOver: false };
    void ended.then(() => (life.isOver = true));
    let commits = 0;
    for (; !life.isOver; commits += 1) await stores.store.commit(callOf(`m${String(commits)}`), NOW);
    expect(await ended).toBe(0);
    expect((await out).join("").trim()).toBe("in-use");
    expect(commits).toBeGreaterThan(0);
    expect((await stores.store.counts())[0]?.accepted).toBe(commits);
    await stores.close();
    expect(inspectStore(file)).toMatchObject({ kind: "ok", store: { state: "closed" } });
  });
});

describe("a file that cannot be used", () => {
  const cases: readonly (readonly [
    what: string,
    make: (folder: string) => void | Promise<void>,
    code: string,
    words: RegExp,
  ])[] = [
    ["a text", (folder) => writeFileSync(join(folder, "p.db"), "no database"), "corrupt", /not a database/],
    ["a folder", (folder) => mkdirSync(join(folder, "p.db", "x"), { recursive: true }), "path-unusable", /folder/],
    ["of another program", otherProgram, "unavailable", /another program/],
    ["of a newer version", newerVersion, "unavailable", /newer version/],
    ["without its log", (folder) => withMark(folder), "log-missing", /log .* is missing/],
  ];

  it.each(cases)("is refused as by openStores: %s", async (_what, make, code, words) => {
    const folder = tempFolder();
    await make(folder);
    const result = inspectStore(join(folder, "p.db"));
    expect(result).toMatchObject({ kind: "refused", error: { code, message: expect.stringMatching(words) as string } });
    await expect(openStores(join(folder, "p.db"))).rejects.toMatchObject({ code });
  });

  it("has no folder", () => {
    expect(inspectStore(join(tempFolder(), "none", "p.db"))).toMatchObject({
      kind: "refused",
      error: { code: "path-unusable", message: expect.stringContaining("its folder does not exist") as string },
    });
  });
});

async function makeStore(folder: string): Promise<void> {
  await (await openStores(join(folder, "p.db"))).close();
}

function otherProgram(folder: string): void {
  const database = new DatabaseSync(join(folder, "p.db"));
  database.exec("create table t (a); pragma application_id = 7");
  database.close();
}

function newerVersion(folder: string): void {
  const database = new DatabaseSync(join(folder, "p.db"));
  database.exec(`create table t (a); pragma application_id = ${String(0x506f7374)}; pragma user_version = 99`);
  database.close();
}

async function withMark(folder: string): Promise<void> {
  await makeStore(folder);
  writeFileSync(join(folder, "p.db-open"), "");
  rmSync(join(folder, "p.db-wal"), { force: true });
}
