// Members that are erased, and sets that are dropped, leave no trace in the file, its log or the files beside it, in any
// written form of a user id, and whatever rows the pages have held since.

import type { AudienceRecord, AudienceStore, EpochMs } from "@postrider/core";
import { encodeAudience } from "@postrider/core/engine";
import { createSeededRandom } from "@postrider/memory";
import { createSqliteAudienceStore } from "@postrider/sqlite";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { newFile, openFile } from "../files.js";

/** The forms in which an id may be written in a file. */
function formsOf(userId: string): readonly Buffer[] {
  const utf16 = Buffer.from(userId, "utf16le");
  const bytes = Buffer.from(userId);
  const encoded = [bytes.toString("hex"), bytes.toString("base64"), encodeURIComponent(userId)];
  return [bytes, utf16, Buffer.from(utf16).swap16(), ...encoded.map((text) => Buffer.from(text))];
}

function tracesOf(file: string, userIds: readonly string[]): readonly string[] {
  const bytes = ["", "-wal", "-shm", "-journal"].flatMap((ending) =>
    existsSync(file + ending) ? [readFileSync(file + ending)] : [],
  );
  return userIds.filter((userId) => formsOf(userId).some((form) => bytes.some((one) => one.includes(form))));
}

/** Adds, reads, erases from and drops sets at random; a record is rewritten throughout. */
async function busyStore(store: AudienceStore, seed: number) {
  const random = createSeededRandom(seed);
  const upTo = (most: number): number => Math.floor(random.unit() * most);
  const sets: string[] = [];
  let made = 0;
  let record = audience();
  await store.records.put(encodeAudience(record));

  return {
    sets: (): readonly string[] => sets,
    async turn(userIds: readonly string[]): Promise<void> {
      made += 1;
      const set = `set ${String(made)}`;
      for (let at = 0; at < userIds.length;) {
        const end = at + 1 + upTo(900);
        await store.append(set, userIds.slice(at, end).map(memberOf));
        at = end;
      }
      sets.push(set);
      const gone = sets.length > 3 ? sets.splice(upTo(sets.length), 1) : [];
      for (const one of gone) while (!(await store.drop(one))) continue;
      await store.erase(
        set,
        userIds.filter((userId) => userId.endsWith("7>") && random.unit() < 0.2),
      );
      const parts = userIds.slice(0, 1 + upTo(60)).map((upTo) => ({ set, upTo }));
      await this.note(parts);
    },
    async note(parts: AudienceRecord["told"][number]["parts"]): Promise<void> {
      record = { ...record, revision: record.revision + 1, told: [{ destination: "crm" as never, sync: 1, parts }] };
      expect(await store.records.put(encodeAudience(record))).toBe(true);
    },
  };

  function memberOf(userId: string) {
    return upTo(3) === 0 ? { userId, value: JSON.stringify("v".repeat(upTo(300))) } : { userId };
  }
}

function audience(): AudienceRecord {
  return {
    ...{ key: "vip", id: "aud", name: "VIP", kind: "audience", sendsAs: "identify", destinations: [] },
    ...{ createdAt: 1_763_724_404_000 as EpochMs, revision: 1, syncs: 1, running: null, last: null, told: [] },
  };
}

describe("a user who is erased from all sets", () => {
  it.each([1, 2, 3])("leaves no trace, whatever has moved in the file (seed %i)", async (seed) => {
    const file = newFile();
    const store = createSqliteAudienceStore({ database: openFile(file) });
    const users = Array.from({ length: 2_000 }, (_, index) => `<ü ${String(index).padStart(5, "0")}>`);
    const busy = await busyStore(store, seed);
    for (let turn = 0; turn < 12; turn += 1) await busy.turn(users);

    const first = (await store.read(busy.sets()[0] ?? "")).map(({ userId }) => userId);
    // The first and the last of a page, some in the middle, and one that the record named.
    const gone = [first[0], first.at(-1), first[1], ...users.filter((_, index) => index % 397 === 5)].map(String);
    expect(tracesOf(file, gone)).toEqual(gone);
    for (const set of busy.sets()) await store.erase(set, gone);
    await busy.note([]);
    expect(await store.scrub()).toBe(true);
    expect(tracesOf(file, gone)).toEqual([]);
    for (const set of busy.sets()) while (!(await store.drop(set))) continue;
    expect(await store.scrub()).toBe(true);
    expect(tracesOf(file, users.slice(0, 20))).toEqual([]);
    await store.close();
  });

  it("is not scrubbed while another connection reads the log", async () => {
    const file = newFile();
    const store = createSqliteAudienceStore({ database: openFile(file) });
    await store.append("set", [{ userId: "<ann>" }, { userId: "<bob>" }]);
    const other = openFile(file);
    other.exec("begin; select * from member_page");
    await store.erase("set", ["<ann>"]);
    expect(await store.scrub()).toBe(false);
    other.exec("rollback");
    expect(await store.scrub()).toBe(true);
    expect(tracesOf(file, ["<ann>"])).toEqual([]);
    expect(await store.read("set")).toEqual([{ userId: "<bob>" }]);
    other.close();
    await store.close();
  });
});
