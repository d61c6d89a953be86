// A file is opened with its log or not at all. An error has a code, and a message that tells an operator what to do. A
// broken file is not written to.

import type { Body, Changes, DeliveryStore, DestinationId, EpochMs, LeaseToken, SourceId } from "@postrider/core";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { DatabaseSync } from "@photostructure/sqlite";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type OpenError, type OpenErrorCode, openStores, type Stores } from "@postrider/sqlite/file";
import { tempFolder } from "../postrider/config-file.js";

const NOW = 1_763_724_404_000 as EpochMs;

function calls(...messageIds: readonly string[]): Changes {
  const accept = messageIds.map((messageId) => ({
    ...{ source: "web" as SourceId, messageId, type: "track" as const, receivedAt: NOW, filtered: [] },
    body: new Uint8Array(300) as Body,
    deliveries: [{ destination: "crm" as DestinationId, start: { kind: "waiting", dueAt: NOW } as const }],
  }));
  const lease = { token: "t" as LeaseToken, leaseMs: 30_000 };
  return { accept, replay: [], settle: [], append: [], tally: [], lease };
}

/**
 * A program that commits, prints how many commits were answered, and exits without closing anything. It runs the built
 * package.
 */
const EXITING = fileURLToPath(new URL("programs/exiting.js", import.meta.url));

/** A program that has the stores open and has committed once, until it is told to close them. It runs the built package. */
const HOLDING = fileURLToPath(new URL("programs/holding.js", import.meta.url));

interface Holding {
  /** Both resolve once the program has ended. */
  readonly stop: () => Promise<unknown>;
  readonly kill: () => Promise<unknown>;
}

async function startHolding(file: string): Promise<Holding> {
  const child = spawn(process.execPath, [HOLDING, file], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  const endBy = (work: () => void) => (): Promise<unknown> => {
    work();
    return ended;
  };
  return { stop: endBy(() => child.stdin.end()), kill: endBy(() => child.kill("SIGKILL")) };
}

async function opened(path: string): Promise<DeliveryStore> {
  const stores = await openStores(path);
  return { ...stores.store, close: () => stores.close() };
}

async function errorOf(path: string): Promise<OpenError> {
  return opened(path).then(
    () => {
      throw new Error("it was opened");
    },
    (error: unknown) => error as OpenError,
  );
}

async function accepted(store: DeliveryStore): Promise<number> {
  const counts = await store.counts();
  await store.close();
  return counts[0]?.accepted ?? 0;
}

/** The files of a store as a crash leaves them after this number of commits, and after `last`. */
async function crashed(commits: number, last?: (store: DeliveryStore) => Promise<unknown>): Promise<string> {
  const [live, left] = [tempFolder(), tempFolder()];
  const store = await opened(join(live, "p.db"));
  for (let commit = 0; commit < commits; commit += 1) await store.commit(calls(String(commit)), NOW);
  await last?.(store);
  for (const name of readdirSync(live)) {
    if (!name.endsWith("-shm")) copyFileSync(join(live, name), join(left, name));
  }
  await store.close();
  return join(left, "p.db");
}

/** A copy of the file in another folder, as it would be found without any connection. */
function copied(file: string): string {
  const copy = join(tempFolder(), "p.db");
  for (const end of ["", "-wal", "-open"]) {
    if (existsSync(file + end)) copyFileSync(file + end, copy + end);
  }
  return copy;
}

/** The contents of the file and of all files beside it. */
function contents(file: string): readonly string[] {
  const folder = join(file, "..");
  return readdirSync(folder).map((name) => `${name} ${readFileSync(join(folder, name)).toString("base64")}`);
}

/** Expects that the file is refused with this code and these words, and is not changed. */
async function expectRefused(file: string, code: OpenErrorCode, ...words: readonly string[]): Promise<void> {
  const before = contents(file);
  const error = await errorOf(file);
  expect(error).toMatchObject({ code, message: expect.stringContaining(`cannot use the store ${file}: `) as string });
  for (const word of words) expect(error.message).toContain(word);
  expect(contents(file)).toEqual(before);
}

describe("a store file", () => {
  it("opens after a crash with all commits", async () => {
    expect(await accepted(await opened(await crashed(5)))).toBe(5);
  });

  it("opens after a crash right after a sweep, which restarts the log", async () => {
    const sweep = (store: DeliveryStore): Promise<number> =>
      store.sweep({ deliveredBefore: NOW, deadBefore: NOW, limit: 9 }, NOW);
    expect(await accepted(await opened(await crashed(5, sweep)))).toBe(5);
  });

  it("opens after a crash during its close, when its audiences are closed and its deliveries are not", async () => {
    const file = join(tempFolder(), "p.db");
    const stores = await openStores(file);
    await stores.store.commit(calls("1"), NOW);
    await stores.audiences.close();
    const copy = copied(file);
    await stores.close();
    expect(await accepted(await opened(copy))).toBe(1);
  });

  it("opens after a crash before its first commit", async () => {
    const file = join(tempFolder(), "p.db");
    await (await opened(file)).close();
    const idle = await opened(file);
    const copy = copied(file);
    expect(await accepted(await opened(copy))).toBe(0);
    await idle.close();
  });

  it("that was closed normally is one file, and opens wherever it is copied to", async () => {
    const file = join(tempFolder(), "p.db");
    const store = await opened(file);
    await store.commit(calls("1"), NOW);
    await store.close();
    expect(existsSync(`${file}-open`)).toBe(false);
    const copy = join(tempFolder(), "copy.db");
    copyFileSync(file, copy);
    expect(await accepted(await opened(copy))).toBe(1);
  });

  it("whose backup was made while it was open opens from that", async () => {
    const file = join(tempFolder(), "p.db");
    const store = await opened(file);
    await store.commit(calls("1"), NOW);
    const backup = join(tempFolder(), "backup.db");
    const other = new DatabaseSync(file);
    other.prepare("vacuum into ?").run(backup);
    other.close();
    await store.commit(calls("2"), NOW);
    await store.close();
    expect(await accepted(await opened(backup))).toBe(1);
  });

  it("whose log was deleted is refused, until the operator allows it to be opened without", async () => {
    const file = await crashed(5);
    rmSync(`${file}-wal`);
    await expectRefused(file, "log-missing", `its log ${file}-wal is missing`, `remove ${file}-open to go on`);
    rmSync(`${file}-open`);
    expect(await accepted(await opened(file))).toBe(0);
  });

  it("whose log was emptied is refused", async () => {
    const file = await crashed(5);
    truncateSync(`${file}-wal`);
    await expectRefused(file, "log-missing", "is missing");
  });

  it("whose log is garbage is refused", async () => {
    const file = await crashed(5);
    writeFileSync(`${file}-wal`, Buffer.alloc(50_000, 0x5a));
    await expectRefused(
      file,
      "log-broken",
      `its log ${file}-wal is broken`,
      "put back a copy of the log, or remove the log",
    );
  });

  it("whose log is broken in its middle is refused, since SQLite would ignore the rest", async () => {
    const file = await crashed(9);
    const log = readFileSync(`${file}-wal`);
    log[32 + 24 + 100]! ^= 1;
    writeFileSync(`${file}-wal`, log);
    await expectRefused(file, "log-broken", "is broken");
  });

  it("that was deleted while its log was not is refused, since SQLite would delete the log", async () => {
    const file = await crashed(5);
    rmSync(file);
    await expectRefused(file, "file-missing", "it is missing or empty, but its log");
    writeFileSync(file, "");
    await expectRefused(file, "file-missing", "it is missing or empty, but its log");
  });

  it("that was cut short is refused", async () => {
    const file = await crashed(0);
    const store = await opened(file);
    for (let n = 0; n < 50; n += 1) await store.commit(calls(String(n)), NOW);
    await store.close();
    truncateSync(file, readFileSync(file).length - 20_000);
    await expectRefused(file, "corrupt", "put back a backup, or save what can be read");
  });

  it("that is no database, or another program's, or a newer one's, is refused", async () => {
    const folder = tempFolder();
    const text = join(folder, "text.db");
    writeFileSync(text, "not a database, only a text that is long enough to be one. ".repeat(200));
    await expectRefused(text, "corrupt", "file is not a database", "name another file");

    const [foreign, newer] = [join(folder, "foreign.db"), join(folder, "newer.db")];
    await (await opened(newer)).close();
    for (const [file, sql] of [
      [foreign, "create table users (name text)"],
      [newer, "pragma user_version = 99"],
    ] as const) {
      const database = new DatabaseSync(file);
      database.exec(sql);
      database.close();
    }
    await expectRefused(foreign, "unavailable", "belongs to another program: name another file");
    await expectRefused(newer, "unavailable", "is of schema version 99, newer than this Postrider: start the one that");
  });
});

describe("a store file that two programs have open", () => {
  it("keeps its mark when one of them closes it, so that a lost log is still noticed", async () => {
    const file = join(tempFolder(), "p.db");
    const server = await startHolding(file);
    await (await opened(file)).close();
    await server.kill();
    rmSync(`${file}-wal`);
    await expectRefused(file, "log-missing");
  });

  it("opens with all commits when one has closed it and the other was killed", async () => {
    const file = join(tempFolder(), "p.db");
    const server = await startHolding(file);
    const other = await opened(file);
    await other.commit(calls("1"), NOW);
    await other.close();
    await server.kill();
    expect(await accepted(await opened(file))).toBe(2);
  });

  it("is one file once the last of them has closed it, whichever that is", async () => {
    const folder = tempFolder();
    const server = await startHolding(join(folder, "p.db"));
    await (await opened(join(folder, "p.db"))).close();
    await server.stop();
    await (await opened(join(folder, "p.db"))).close();
    expect(readdirSync(folder)).toEqual(["p.db"]);
  });

  it("opens after any order of opening, closing and crashing of three", async () => {
    const step = fc.record({ who: fc.nat({ max: 2 }), does: fc.constantFrom("commits", "closes", "crashes") });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const file = join(tempFolder(), "p.db");
        const open: (Stores | undefined)[] = [];
        let commits = 0;
        for (const { who, does } of steps) {
          const stores = open[who] ?? (await openStores(file, { onFailure: () => undefined }));
          open[who] = does === "commits" ? stores : undefined;
          if (does === "commits") await stores.store.commit(calls(String((commits += 1))), NOW);
          if (does === "closes") await stores.close();
          if (does === "crashes") await stores.abandon();
        }
        expect(await accepted(await opened(copied(file)))).toBe(commits);
        expect(existsSync(`${file}-open`)).toBe(existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0);
        for (const stores of open) await stores?.close();
      }),
      { numRuns: 12 },
    );
  });
});

describe("a path", () => {
  it("that cannot be used is refused as the host gave it", async () => {
    expect(await errorOf("nowhere/p.db")).toMatchObject({
      code: "path-unusable",
      message: "cannot use the store nowhere/p.db: its folder does not exist",
    });
    expect(await errorOf("")).toMatchObject({ code: "path-unusable" });
  });
});

describe("an open store", () => {
  it.each(["p.db", "p.db-wal"])("fails for good once its %s is not the one that it writes to", async (name) => {
    const folder = tempFolder();
    const store = await opened(join(folder, "p.db"));
    await store.commit(calls("1"), NOW);
    renameSync(join(folder, name), join(folder, "moved"));
    const corrupt = {
      code: "corrupt",
      message: `${join(folder, name)} has been moved, replaced or removed while it was open`,
    };
    await expect(store.commit(calls("2"), NOW)).rejects.toMatchObject(corrupt);
    renameSync(join(folder, "moved"), join(folder, name));
    await expect(store.commit(calls("3"), NOW)).rejects.toMatchObject(corrupt);
    await store.close();
    expect(await opened(join(folder, "p.db")).then(accepted)).toBeGreaterThan(0);
  });

  it.each([
    ["to nothing", 0],
    ["to its header", 32],
    ["in its middle", 9_000],
  ])("fails for good once its log was cut %s, and is refused at its next start", async (_, bytes) => {
    const file = join(tempFolder(), "p.db");
    const store = await opened(file);
    for (let n = 0; n < 20; n += 1) await store.commit(calls(`before ${String(n)}`), NOW);
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(9_000);
    truncateSync(`${file}-wal`, bytes);
    const corrupt = { code: "corrupt", message: expect.stringContaining("p.db-wal has been cut short") as string };
    await expect(store.commit(calls("after"), NOW)).rejects.toMatchObject(corrupt);
    await expect(store.commit(calls("again"), NOW)).rejects.toMatchObject({ code: "corrupt" });
    await store.close();

    const found = "was found broken while it was open: ";
    await expectRefused(file, "log-broken", found, "p.db-wal has been cut short");
    // As found by another process, which has no connection to the file yet.
    const elsewhere = copied(file);
    await expectRefused(elsewhere, "log-broken", found, `remove ${elsewhere}-open`);
    rmSync(`${elsewhere}-open`);
    expect(await opened(elsewhere).then(accepted)).toBeLessThan(20);
  });

  it("keeps the mark of a broken log when another store is closed normally", async () => {
    const file = join(tempFolder(), "p.db");
    const [store, other] = [await opened(file), await opened(file)];
    for (let n = 0; n < 20; n += 1) await store.commit(calls(String(n)), NOW);
    truncateSync(`${file}-wal`, 9_000);
    await expect(store.commit(calls("after"), NOW)).rejects.toMatchObject({ code: "corrupt" });
    await other.close();
    await store.close();
    await expectRefused(copied(file), "log-broken", "has been cut short");
  });

  it("goes on when another process has restarted its log legitimately, any number of times", async () => {
    const file = join(tempFolder(), "p.db");
    const store = await opened(file);
    const other = new DatabaseSync(file);
    for (let n = 0; n < 30; n += 1) {
      await store.commit(calls(String(n)), NOW);
      if (n % 3 === 0) other.prepare(`pragma wal_checkpoint(${n % 2 === 0 ? "truncate" : "restart"})`).get();
    }
    other.close();
    expect(await accepted(store)).toBe(30);
  });

  it.each(["at once", "with commits under way"])("leaves a file with its log to a process that ends %s", (when) => {
    const file = join(tempFolder(), "p.db");
    const ran = spawnSync(process.execPath, ["--expose-gc", EXITING, file, when], { encoding: "utf8" });
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(`${file}-open`)).toBe(true);
    expect(readFileSync(`${file}-wal`).length).toBeGreaterThan(0);
    return expect(opened(file).then(accepted)).resolves.toBeGreaterThanOrEqual(Number(ran.stdout));
  });

  it("fails once another file has taken its place", async () => {
    const folder = tempFolder();
    const store = await opened(join(folder, "p.db"));
    writeFileSync(join(folder, "other"), "");
    renameSync(join(folder, "other"), join(folder, "p.db"));
    await expect(store.commit(calls("2"), NOW)).rejects.toMatchObject({ code: "corrupt" });
    await store.close();
    await expectRefused(join(folder, "p.db"), "log-broken", "has been moved, replaced or removed");
  });
});
