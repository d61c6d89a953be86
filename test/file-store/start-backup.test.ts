// A backup has what was committed before it began, changes nothing at its source, and leaves nothing if it fails.

import { DatabaseSync } from "@photostructure/sqlite";
import { type OpenError, openStores, startBackup, type Stores } from "@postrider/sqlite/file";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Body, DestinationId, EpochMs, LeaseToken, SourceId } from "@postrider/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempFolder } from "../postrider/config-file.js";

const NOW = 1_763_724_404_000 as EpochMs;
const MEGABYTE = 1_000_000;

function commit({ store }: Stores, messageId: string): Promise<unknown> {
  const accept = {
    ...{ source: "web" as SourceId, messageId, type: "track" as const, receivedAt: NOW, filtered: [] },
    body: new Uint8Array(300) as Body,
    deliveries: [{ destination: "crm" as DestinationId, start: { kind: "waiting", dueAt: NOW } as const }],
  };
  const lease = { token: "t" as LeaseToken, leaseMs: 30_000 };
  return store.commit({ accept: [accept], replay: [], settle: [], append: [], tally: [], lease }, NOW);
}

/** Stores in a new folder, with two commits; closed after the test. */
async function openedStores(): Promise<{ readonly file: string; readonly stores: Stores }> {
  const file = join(tempFolder(), "p.db");
  const stores = await openStores(file);
  onTestFinished(() => stores.close());
  await commit(stores, "1");
  await commit(stores, "2");
  return { file, stores };
}

/** The files of stores as a crash leaves them, after two commits. */
async function crashedFile(): Promise<string> {
  const { file, stores } = await openedStores();
  const left = join(tempFolder(), "p.db");
  for (const end of ["", "-wal", "-open"]) copyFileSync(file + end, left + end);
  await stores.close();
  return left;
}

async function closedFile(): Promise<string> {
  const { file, stores } = await openedStores();
  await stores.close();
  return file;
}

/** A closed file with some megabytes more, so that its backup takes a moment. */
async function largeFile(megabytes: number): Promise<string> {
  const file = await closedFile();
  const database = new DatabaseSync(file);
  database.exec("create table filler (bytes blob)");
  for (let nth = 0; nth < megabytes; nth += 1) {
    database.prepare("insert into filler values (randomblob(?))").run(MEGABYTE);
  }
  database.close();
  return file;
}

/** How many calls the stores of a file have accepted. */
async function acceptedIn(file: string): Promise<number> {
  const stores = await openStores(file);
  const counts = await stores.store.counts();
  await stores.close();
  return counts[0]?.accepted ?? 0;
}

async function errorOf(done: Promise<unknown>): Promise<OpenError> {
  return done.then(
    () => {
      throw new Error("it was backed up");
    },
    (error: unknown) => error as OpenError,
  );
}

/** What is in the folder of a file, without the index of the log, which every reader writes. */
function contents(file: string): readonly string[] {
  const folder = join(file, "..");
  const names = readdirSync(folder).filter((name) => !name.endsWith("-shm"));
  return names.map((name) => `${name} ${readFileSync(join(folder, name)).toString("base64")}`);
}

function newCopy(name = "copy.db"): string {
  return join(tempFolder(), name);
}

describe("a backup of a store file", () => {
  it("has all commits of a file that is open, and its audiences, and opens by itself", async () => {
    const { file, stores } = await openedStores();
    const copy = newCopy();
    const backup = startBackup(file, copy);
    await commit(stores, "later");
    const bytes = await backup.done;
    expect(bytes).toBe(statSync(copy).size);
    expect(readdirSync(join(copy, ".."))).toEqual(["copy.db"]);
    expect(await acceptedIn(copy)).toBeGreaterThanOrEqual(2);
    await commit(stores, "after that");
    await stores.close();
    expect(readdirSync(join(file, ".."))).toEqual(["p.db"]);
    expect(await acceptedIn(file)).toBe(4);
  });

  it("has all commits that a crash has left in the log, and leaves log and mark as they are", async () => {
    const file = await crashedFile();
    const before = contents(file);
    const copy = newCopy();
    await startBackup(file, copy).done;
    expect(contents(file)).toEqual(before);
    expect(await acceptedIn(copy)).toBe(2);
    expect(await acceptedIn(file)).toBe(2);
  });

  it("has all of a file that was closed, which still opens", async () => {
    const file = await closedFile();
    const copy = newCopy();
    await startBackup(file, copy).done;
    expect([await acceptedIn(copy), await acceptedIn(file)]).toEqual([2, 2]);
    expect(readdirSync(join(file, ".."))).toEqual(["p.db"]);
  });

  it("can be read only by its owner, and may have any name", async () => {
    const copy = newCopy("it's; a copy");
    await startBackup(await closedFile(), copy).done;
    expect(statSync(copy).mode & 0o777).toBe(0o600);
  });

  it("reports how far it is", async () => {
    const file = await largeFile(40);
    const backup = startBackup(file, newCopy());
    const seen = new Set<string>();
    const timer = setInterval(() => {
      const { phase, bytes, ofBytes } = backup.progress();
      seen.add(phase);
      if (phase === "copying" && bytes > 0) seen.add(bytes <= 1.1 * ofBytes ? "part of it" : "too much");
    }, 5);
    await backup.done;
    clearInterval(timer);
    expect([...seen].sort()).toEqual(["checking", "copying", "part of it"]);
  });

  it("is removed at once if it is stopped", async () => {
    const copy = newCopy();
    const backup = startBackup(await largeFile(40), copy);
    await expect.poll(() => backup.progress().bytes).toBeGreaterThan(0);
    const stopped = backup.stop();
    expect(readdirSync(join(copy, ".."))).toEqual([]);
    await stopped;
    expect((await errorOf(backup.done)).message).toContain("stopped");
    expect(readdirSync(join(copy, ".."))).toEqual([]);
  });

  it("leaves nothing for a moment if it is stopped before its thread writes, so that the process may be ended at once", async () => {
    const copy = newCopy();
    const file = await largeFile(40);
    const backup = startBackup(file, copy);
    const stopped = backup.stop();
    const seen = new Set<string>();
    const timer = setInterval(() => readdirSync(join(copy, "..")).forEach((name) => seen.add(name)), 1);
    await stopped;
    clearInterval(timer);
    expect([...seen]).toEqual([]);
  });

  it("never replaces a file, also one that was made meanwhile", async () => {
    const copy = newCopy();
    const file = await closedFile();
    const backup = startBackup(file, copy);
    writeFileSync(copy, "other");
    const errors = [await errorOf(backup.done), await errorOf(startBackup(file, copy).done)];
    for (const error of errors) {
      expect(error).toMatchObject({
        code: "path-unusable",
        message: `cannot back up ${file}: ${copy} exists already, and is not replaced: name another file`,
      });
    }
    expect(contents(copy)).toEqual([`copy.db ${Buffer.from("other").toString("base64")}`]);
  });
});

describe("a backup that cannot be made leaves nothing, and says why:", () => {
  const refused = async (file: string, code: string, words: string, copy = newCopy()): Promise<void> => {
    const error = await errorOf(startBackup(file, copy).done);
    expect(error).toMatchObject({ code });
    expect(error.message).toMatch(new RegExp(`^cannot back up ${file}: `));
    expect(error.message).toContain(words);
    if (existsSync(join(copy, ".."))) expect(readdirSync(join(copy, ".."))).toEqual([]);
  };

  it("a file that does not exist, and that is not made", async () => {
    const file = join(tempFolder(), "p.db");
    await refused(file, "path-unusable", "it does not exist");
    expect(existsSync(file)).toBe(false);
  });

  it("a folder for the copy that does not exist", async () => {
    await refused(await closedFile(), "path-unusable", "its folder does not exist", "/nowhere/copy.db");
  });

  it("a log that is missing", async () => {
    const file = await crashedFile();
    rmSync(`${file}-wal`);
    await refused(file, "log-missing", `${file}-wal is missing`);
  });

  it("a file of another program, and one without tables", async () => {
    const file = join(tempFolder(), "other.db");
    const database = new DatabaseSync(file);
    database.exec("create table other (a)");
    database.close();
    await refused(file, "unavailable", "belongs to another program");
    writeFileSync(join(file, "../empty.db"), "");
    await refused(join(file, "../empty.db"), "unavailable", "is no store yet");
  });

  it("a file that is no database", async () => {
    const file = join(tempFolder(), "text.db");
    writeFileSync(file, "text ".repeat(1_000));
    await refused(file, "corrupt", "file is not a database");
  });

  it("a folder", async () => {
    const folder = join(tempFolder(), "p.db");
    mkdirSync(folder);
    await refused(folder, "unavailable", "");
  });

  it("a broken page", async () => {
    const file = await largeFile(1);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, 4_096, 12_288));
    await refused(file, "corrupt", "malformed");
  });
});
