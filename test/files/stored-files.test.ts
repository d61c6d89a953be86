// A stored file of each schema version, written by the code of that version, is opened by the code of today: what waits in it
// is delivered by a real relay, and what is finished is swept.

import { decodeWorkspace } from "@postrider/codec";
import { type DeliveryStore, destinationId, type EpochMs, processId } from "@postrider/core";
import { createManualClock, createScriptedHttp, createSeededRandom, type SentRequest } from "@postrider/memory";
import { createRelay, type RelayEvent } from "@postrider/relay";
import { createSqliteAudienceStore, createSqliteCallStorage, createSqliteStore } from "@postrider/sqlite";
import { copyFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CALLS_STEPS } from "../../packages/sqlite/src/call-storage/schema.js";
import { textsSum } from "../../packages/sqlite/src/rows/checksum.js";
import { SCHEMA_STEPS } from "../../packages/sqlite/src/schema/schema.js";
import { WRITE_KEY } from "../canary.js";
import { newFile, openFile } from "../sqlite/files.js";

const FOLDER = fileURLToPath(new URL("./", import.meta.url));
const MAX_FILE_BYTES = 200_000;

/** When the files were written; see make.js. Every delivery in them is due two minutes later. */
const WRITTEN_AT = 1_763_724_404_000;
const OPENED_AT = (WRITTEN_AT + 120_000) as EpochMs;
const DAY_MS = 86_400_000;
const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/**
 * The schema versions that brought audiences, audience records in a separate table, requests to delete users, pauses,
 * replay jobs, the `traceparent` of a message, settings, and the board.
 */
const AUDIENCES_SINCE = 3;
const RECORDS_APART_SINCE = 9;
const DELETIONS_SINCE = 4;
const PAUSES_SINCE = 10;
const REPLAY_JOBS_SINCE = 11;
const TRACEPARENTS_SINCE = 12;
const SETTINGS_SINCE = 13;
const BOARD_SINCE = 14;

const STORE_VERSIONS = SCHEMA_STEPS.map((_, step) => step + 1);
const AUDIENCE_VERSIONS = STORE_VERSIONS.filter((version) => version >= AUDIENCES_SINCE);
const CALLS_VERSIONS = CALLS_STEPS.map((_, step) => step + 1);

function copyOf(kind: "store" | "calls", version: number): string {
  const file = newFile();
  copyFileSync(`${FOLDER}${kind}-${String(version)}.sqlite`, file);
  return file;
}

function versionOf(file: string): unknown {
  const database = openFile(file);
  const row: unknown = database.prepare("pragma user_version").get();
  database.close();
  return row;
}

const workspace = workspaceOf(["crm", "erp"]);

function workspaceOf(ids: readonly string[]) {
  const destinations = ids.map((id) => ({ id, sources: ["web"], endpoints: [{ url: `https://${id}.test/` }] }));
  const decoded = decodeWorkspace({ sources: [{ id: "web", writeKey: WRITE_KEY }], destinations });
  if (decoded.kind === "refused") throw new Error(JSON.stringify(decoded.problems));
  return decoded.value;
}

function openRelay(file: string) {
  const clock = createManualClock({ wall: OPENED_AT });
  const http = createScriptedHttp({ clock, script: () => ({ kind: "answers", status: 200, afterMs: 5 }) });
  const store = createSqliteStore({ database: openFile(file) });
  const audiences = createSqliteAudienceStore({ database: openFile(file) });
  const random = createSeededRandom(1);
  const linked = new Set<string>();
  const observe = (event: RelayEvent): void => {
    if (event.kind === "delivered" && event.traceparent !== undefined)
      linked.add(`${event.messageId} ${event.traceparent}`);
  };
  const relay = createRelay({ workspace, store, audiences, http, clock, random, observe });
  relay.start();
  const stop = async (): Promise<void> => {
    const stopping = relay.stop();
    await clock.advance(60_000);
    await stopping;
  };
  return { relay, clock, http, store, audiences, linked, stop };
}

type Opened = ReturnType<typeof openRelay>;

/** The requests that carry calls of the file: the receiver, and the body. */
function sentCalls(requests: readonly SentRequest[]): readonly string[] {
  return requests
    .map(({ url, body }) => `${new URL(url).host} ${new TextDecoder().decode(body)}`)
    .filter((sent) => sent.includes('"event":"Signed Up"'))
    .sort();
}

function bodyOf(messageId: string): string {
  const userId = messageId === "of-ann" ? "ann" : "bob";
  return JSON.stringify({ type: "track", messageId, userId, event: "Signed Up" });
}

/** Version 4 and later hold a request to delete ann: nothing about her is sent. */
function expectedCalls(version: number): readonly string[] {
  const ofAnn = version < DELETIONS_SINCE ? ["of-ann"] : [];
  const crm = ["left", "tried", "untried", ...ofAnn].map((id) => `crm.test ${bodyOf(id)}`);
  const erp = ["dead", "delivered", "left", "tried", "untried", ...ofAnn].map((id) => `erp.test ${bodyOf(id)}`);
  const replays = version < REPLAY_JOBS_SINCE ? [] : [`crm.test ${bodyOf("dead")}`];
  return [...crm, ...erp, ...replays].sort();
}

/** The kind of the receipt of a further call. A commit may wait for others to share it, so the clock has to move. */
async function acceptAgain({ relay, clock }: Opened, messageId: string): Promise<unknown> {
  const source = workspace.sources[0]?.id;
  if (source === undefined) throw new Error("the workspace has no source");
  const calls = [{ type: "track", messageId, userId: "bob", event: "Signed Up" }];
  const accepting = relay.accept({ source, calls });
  await clock.advance(1_000);
  return (await accepting)._unsafeUnwrap().map(({ kind }) => kind);
}

function openAudiences(file: string) {
  return createSqliteAudienceStore({ database: openFile(file) });
}

function run(file: string, sql: string): void {
  const database = openFile(file);
  database.exec(sql);
  database.close();
}

/** The only audience of the file: its record, and the checksum beside it. */
function storedRecord(file: string): { readonly text: string; readonly checksum: number } {
  const database = openFile(file);
  const isApart = database.prepare("pragma table_info(audience_record)").all().length > 0;
  const text = isApart ? "(select trim(cast(bytes as text)) from audience_record)" : "record";
  const row = database.prepare(`select ${text} as text, checksum from audience`).get();
  database.close();
  return row as { readonly text: string; readonly checksum: number };
}

function sumOf(file: string): number {
  return storedRecord(file).checksum;
}

function newSum(file: string): number {
  return textsSum(["vip", storedRecord(file).text]);
}

/** The record has the checksum that version 3 wrote, and version 4 at first: that of its text, without the key. */
function copyWithOldSum(version: number): string {
  const file = copyOf("store", version);
  const { text, checksum } = storedRecord(file);
  const old = textsSum([text]);
  if (version === AUDIENCES_SINCE) expect(checksum).toBe(old);
  run(file, `update audience set checksum = ${String(old)}`);
  return file;
}

const DAMAGES: readonly (readonly [what: string, sql: (version: number) => string])[] = [
  [
    "a byte of it",
    (version) =>
      version < RECORDS_APART_SINCE
        ? "update audience set record = replace(record, 'VIP', 'VIQ')"
        : "update audience_record set bytes = cast(replace(cast(bytes as text), 'VIP', 'VIQ') as blob)",
  ],
  ["its key", () => "update audience set key = 'vipp'"],
  ["its checksum", () => "update audience set checksum = checksum + 1"],
];

/** The two revisions are there, and a further one follows; a file from before settings begins with the first one. */
async function expectSettings({ settings }: DeliveryStore, version: number): Promise<void> {
  const [document, actor] = ['{"sources":[],"destinations":[]}', "ann \u0000"];
  const latest = { revision: 2, document, actor, changedAt: WRITTEN_AT + 51 };
  const isThere = version >= SETTINGS_SINCE;
  expect(await settings?.latest(0)).toEqual(isThere ? latest : undefined);
  expect((await settings?.history())?.map(({ revision }) => revision)).toEqual(isThere ? [2, 1] : []);
  const edit = { expect: isThere ? 2 : 0, document };
  expect(await settings?.put(edit, OPENED_AT)).toEqual({ kind: "stored", revision: isThere ? 3 : 1 });
}

/** The row of a lane is there, and a further one follows; in a file from before the board it is the first one. */
async function expectBoard(file: string, version: number): Promise<void> {
  const store = createSqliteStore({ database: openFile(file), shared: true });
  const beat = { process: processId("p"), share: 1, liveForMs: 1_000, limit: 9 };
  const row = { lane: destinationId("crm"), revision: 1, limit: 8, holds: [] };
  expect((await store.board?.beat(beat, OPENED_AT))?.rows).toEqual(version >= BOARD_SINCE ? [row] : []);
  const next = { ...row, revision: version >= BOARD_SINCE ? 2 : 1 };
  expect(await store.board?.write([next])).toEqual([]);
  await store.close();
}

describe("stored files", () => {
  it("there is one of each schema version, of the store and of the calls of a client, and no other", () => {
    const expected = [
      ...STORE_VERSIONS.map((version) => `store-${String(version)}.sqlite`),
      ...CALLS_VERSIONS.map((version) => `calls-${String(version)}.sqlite`),
    ];
    const found = readdirSync(FOLDER).filter((name) => name.endsWith(".sqlite"));
    expect(found.sort()).toEqual(expected.sort());
    for (const name of found) expect(statSync(FOLDER + name).size).toBeLessThan(MAX_FILE_BYTES);
  });

  it.each(STORE_VERSIONS)("that of version %i is of that version until it is opened", (version) => {
    expect(versionOf(copyOf("store", version))).toEqual({ user_version: version });
  });

  it.each(STORE_VERSIONS)(
    "of a store of version %i: what waits is delivered, what is finished is swept",
    async (version) => {
      const file = copyOf("store", version);
      const opened = openRelay(file);
      const { clock, http, store, audiences, linked, stop } = opened;
      await clock.advance(60_000);
      expect([...linked]).toEqual(version < TRACEPARENTS_SINCE ? [] : [`left ${TRACEPARENT}`]);
      expect(sentCalls(http.requests())).toEqual(expectedCalls(version));
      expect(await acceptAgain(opened, "tried")).toEqual(["duplicate"]);
      expect(await acceptAgain(opened, "filtered")).toEqual(["duplicate"]);
      expect(await acceptAgain(opened, "new")).toEqual(["accepted"]);
      await clock.advance(60_000);
      await stop();

      const [counts] = await store.counts();
      expect(counts).toMatchObject({ source: "web", waiting: 0, claimed: 0, refused: 2, shed: 1, duplicates: 2 });
      expect(await audiences.list()).toMatchObject(version < AUDIENCES_SINCE ? [] : [{ key: "vip", name: "VIP" }]);

      const end = (OPENED_AT + DAY_MS) as EpochMs;
      expect(await store.sweep({ deliveredBefore: end, deadBefore: end, limit: 99 }, end)).toBeGreaterThan(0);
      expect((await store.list({ limit: 9 })).deliveries).toEqual([]);
      const elsewhere = { lane: "elsewhere", pausedAt: WRITTEN_AT + 30 };
      expect(await store.pauses?.list({ limit: 9 })).toEqual(version < PAUSES_SINCE ? [] : [elsewhere]);
      // The delivery of ann at crm was purged.
      const job = { id: "job-1", state: "done", replayed: 1, skipped: 1 };
      expect(await store.replayJobs?.list({})).toMatchObject(version < REPLAY_JOBS_SINCE ? [] : [job]);
      await expectSettings(store, version);
      await audiences.close();
      await store.close();
      await expectBoard(file, version);
      expect(versionOf(file)).toEqual({ user_version: SCHEMA_STEPS.length });
      const check: unknown = openFile(file).prepare("pragma integrity_check").get();
      expect(check).toEqual({ integrity_check: "ok" });
    },
  );

  it.each(STORE_VERSIONS.filter((version) => version >= DELETIONS_SINCE))(
    "of a store of version %i: a request to delete a user is carried out, and nothing of the user is left",
    async (version) => {
      const file = copyOf("store", version);
      expect(readFileSync(file, "latin1")).toContain('"userId":"ann"');
      const { clock, http, store, audiences, stop } = openRelay(file);
      await clock.advance(120_000);
      await stop();
      const [request] = (await store.deletions?.list({ limit: 9 }))?.deletions ?? [];
      expect(request).toMatchObject({ id: "d-1", isPurged: true, purged: 2, users: 1, notified: 1 });
      expect(request?.finishedAt).toBeDefined();
      expect(http.requests().filter(({ body }) => new TextDecoder().decode(body).includes("delete"))).toHaveLength(2);
      await audiences.close();
      await store.close();
      expect(readFileSync(file, "latin1")).not.toContain('"messageId":"of-ann"');
    },
  );

  it.each(AUDIENCE_VERSIONS)(
    "of a store of version %i: the members of an audience are read, and users are erased from them",
    async (version) => {
      const store = openAudiences(copyOf("store", version));
      expect(await store.read("vip/1")).toEqual([{ userId: "bob" }, { userId: "eve", value: "7" }]);
      expect(await store.erase("vip/1", ["bob"])).toBe(1);
      expect(await store.read("vip/1")).toEqual([{ userId: "eve", value: "7" }]);
      await store.close();
    },
  );

  it.each(AUDIENCE_VERSIONS)(
    "of a store of version %i, with the old checksum of an audience record: it is read, and replaced",
    async (version) => {
      const file = copyWithOldSum(version);
      const store = openAudiences(file);
      const found = await store.find("vip");
      if (found === undefined) throw new Error("the audience is missing");
      expect(await store.list()).toEqual([found]);
      expect(sumOf(file) === newSum(file)).toBe(version < RECORDS_APART_SINCE);
      expect(await store.replace({ ...found, name: "Very", revision: 2 })).toBe(true);
      expect(await store.find("vip")).toEqual({ ...found, name: "Very", revision: 2 });
      await store.close();
      expect(sumOf(file)).toBe(newSum(file));
    },
  );

  it.each(AUDIENCE_VERSIONS.flatMap((version) => DAMAGES.map(([damage, sql]) => [version, damage, sql] as const)))(
    "of a store of version %i, with the old checksum of an audience record and %s changed: it is refused as corrupt",
    async (version, _, sql) => {
      const file = copyWithOldSum(version);
      run(file, sql(version));
      const store = openAudiences(file);
      await expect(store.list()).rejects.toMatchObject({ code: "corrupt" });
      await store.close();
    },
  );

  it.each(CALLS_VERSIONS)(
    "of the calls of a client of version %i: they are loaded in order, and changed",
    async (version) => {
      const storage = createSqliteCallStorage({ database: openFile(copyOf("calls", version)) });
      expect((await storage.load()).map(({ json }) => json)).toEqual(
        ["c-1", "c-3"].map((name) => JSON.stringify({ event: `event of ${name}` })),
      );
      await storage.change({ keep: [{ messageId: "c-4", type: "track", json: "{}" }], drop: ["c-1"] });
      expect((await storage.load()).map(({ messageId }) => messageId)).toEqual(["c-3", "c-4"]);
      await storage.close();
    },
  );

  it("one of a newer version is refused, in words, and is left as it is", () => {
    const newest = SCHEMA_STEPS.length;
    const file = copyOf("store", newest);
    const database = openFile(file);
    database.exec(`pragma user_version = ${String(newest + 1)}`);
    database.close();
    const before = readFileSync(file);
    const words = `is of schema version ${String(newest + 1)}, newer than this Postrider: start the one that wrote it`;
    expect(() => createSqliteStore({ database: openFile(file) })).toThrow(words);
    expect(() => createSqliteAudienceStore({ database: openFile(file) })).toThrow(words);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});
