// The SQLite store fulfils the contract of the audience port, on real files, and returns nothing that a broken disk has
// changed.

import type { AudienceRecord, EpochMs } from "@postrider/core";
import { encodeAudience } from "@postrider/core/engine";
import { createSqliteAudienceStore } from "@postrider/sqlite";
import { nastyStrings } from "@postrider/testkit/arbitraries";
import { audienceStoreContract } from "@postrider/testkit/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SELECT_LAST_MEMBER_PAGE, SELECT_LAST_PAGES } from "../../packages/sqlite/src/audience-store/commit.js";
import {
  SELECT_FIRST_AND_LAST_PLACE,
  SELECT_IF_PAGE_ENDS_WITH,
  SELECT_PAGE_FROM_PLACE,
  SELECT_WHETHER_PAGE_REACHES,
} from "../../packages/sqlite/src/audience-store/reads.js";
import { keyAfter, sortKey } from "../../packages/sqlite/src/audience-store/page.js";
import { failingDatabase } from "./failing-database.js";
import { newFile, openFile } from "./files.js";
import "../property.js";

/** Enough for a few pages of members. */
const ROOM_PAGES = 40;

describe("the SQLite store of audiences", () => {
  const file = newFile();
  const cases = audienceStoreContract({
    open: () => Promise.resolve(openAudiences(file)),
    openCramped: () => {
      const database = openFile(file);
      const pages = Object.values(database.prepare("pragma page_count").get() as Record<string, number>)[0] ?? 0;
      database.exec(`pragma max_page_count = ${String(pages + ROOM_PAGES)}`);
      return Promise.resolve(createSqliteAudienceStore({ database }));
    },
    openGated: (gate) =>
      Promise.resolve(createSqliteAudienceStore({ database: failingDatabase(openFile(file), gate) })),
    supports: {
      ...{ restart: true, sharing: true, full: true, faults: true },
      interleaving: { reason: "each call is one synchronous transaction" },
    },
  });
  for (const { name, run } of cases) it(name, run);

  it.each([
    [undefined, 1],
    [true, 0],
  ])("checks its file once, and not if it was just checked (isChecked: %s)", (isChecked, looks) => {
    const database = openFile(newFile());
    const prepared: string[] = [];
    const prepare = (sql: string): ReturnType<typeof database.prepare> => {
      prepared.push(sql);
      return database.prepare(sql);
    };
    const watched = { exec: (sql: string) => database.exec(sql), prepare, close: () => database.close() };
    createSqliteAudienceStore({ database: watched, ...(isChecked === undefined ? {} : { isChecked }) });
    expect(prepared.filter((sql) => sql.includes("integrity_check"))).toHaveLength(looks);
  });

  it("answers each query from an index", () => {
    const database = openFile(newFile());
    createSqliteAudienceStore({ database });
    const plan = (sql: string): string => {
      const values = sql
        .split("?")
        .slice(1)
        .map(() => 1);
      const rows = database.prepare(`explain query plan ${sql}`).all(...values);
      return rows.map((row: { detail: string }) => row.detail).join("\n");
    };
    for (const sql of [SELECT_WHETHER_PAGE_REACHES, SELECT_IF_PAGE_ENDS_WITH, SELECT_PAGE_FROM_PLACE])
      expect(plan(sql)).toMatch(/SEARCH p USING PRIMARY KEY \(member_set=\? AND place[=>]\?\)/);
    for (const sql of [SELECT_LAST_MEMBER_PAGE, SELECT_LAST_PAGES, SELECT_FIRST_AND_LAST_PLACE])
      expect(plan(sql)).toContain("USING PRIMARY KEY (member_set=?)");
    for (const sql of [
      SELECT_LAST_MEMBER_PAGE,
      SELECT_LAST_PAGES,
      SELECT_FIRST_AND_LAST_PLACE,
      SELECT_WHETHER_PAGE_REACHES,
      SELECT_IF_PAGE_ENDS_WITH,
      SELECT_PAGE_FROM_PLACE,
    ])
      expect(plan(sql)).not.toMatch(/SCAN|TEMP B-TREE/);
  });
});

describe("the key of a user id", () => {
  it("sorts as the id does", () => {
    fc.assert(
      fc.property(nastyStrings(), nastyStrings(), (one, other) => {
        const [first, second] = [one, other].map((id) => Buffer.from(sortKey(id)));
        expect(Math.sign(Buffer.compare(first!, second!))).toBe(one === other ? 0 : one < other ? -1 : 1);
      }),
    );
  });

  it("is followed by the sort key of the next user id, and by no earlier one", () => {
    fc.assert(
      fc.property(nastyStrings(), nastyStrings(), (after, userId) => {
        const isBeyond = Buffer.compare(Buffer.from(sortKey(userId)), Buffer.from(keyAfter(after))) >= 0;
        expect(isBeyond).toBe(userId > after);
      }),
    );
  });
});

const corrupt: unknown = expect.objectContaining({ code: "corrupt" });

const PAGES: readonly (readonly [string, string])[] = [
  ["a user id", rewriting("a", "b")],
  ["a value", rewriting("1", "2")],
  ["the values to none", rewriting('["1"]', " ")],
  ["the line between ids and values", rewriting("\n", " ")],
  ["the set of a page", "delete from member_place where member_set = 1; update member_place set member_set = 1"],
  ["the place of a page", "update member_page set last_id = x'0062' where id = 1"],
  [
    "the name of a set",
    "update member_set set name = 'another' where id = 2; update member_set set name = 'two' where id = 1",
  ],
  ["the checksum", "update member_place set checksum = checksum + 1"],
  ["the ids to bytes that are none", "update member_page set bytes = x'5b22ff225d0a'"],
];

function rewriting(from: string, to: string): string {
  return `update member_page set bytes = cast(replace(cast(bytes as text), '${from}', '${to}') as blob) where id = 1`;
}

const RECORDS: readonly (readonly [string, string])[] = [
  [
    "a name in it",
    "update record_text set bytes = cast(replace(cast(bytes as text), 'set of now', 'set of old') as blob)",
  ],
  [
    "it for another",
    "update record set (text, checksum) = (select text, checksum from record where key = 'two') where key = 'one'",
  ],
];

describe("a file in which a broken disk changed", () => {
  it.each(PAGES)("%s returns no member, also on later requests", async (_, sql) => {
    const store = openAudiences(await tampered(sql));
    await expect(Promise.all([store.read("one"), store.read("two")])).rejects.toEqual(corrupt);
    await expect(store.records.list({ kind: "audience", limit: 10 })).rejects.toEqual(corrupt);
    await store.close();
  });

  it.each(RECORDS)("the record of an audience, %s, returns none", async (_, sql) => {
    const store = openAudiences(await tampered(sql));
    await expect(store.records.find("audience", "one")).rejects.toEqual(corrupt);
    await store.close();
  });
});

/** A file with two audiences and two sets, changed by `sql` without the store. */
async function tampered(sql: string): Promise<string> {
  const file = newFile();
  const store = openAudiences(file);
  for (const key of ["one", "two"]) {
    await store.records.put(encodeAudience(audience(key)));
    await store.append(key, [{ userId: "a", value: "1" }]);
  }
  await store.close();
  const database = openFile(file);
  database.exec(sql);
  database.close();
  return file;
}

function openAudiences(file: string) {
  return createSqliteAudienceStore({ database: openFile(file) });
}

function audience(key: string): AudienceRecord {
  return {
    ...{ key, id: key, name: key, kind: "audience", sendsAs: "identify", destinations: [] },
    ...{ createdAt: 1_763_724_404_000 as EpochMs, revision: 1, syncs: 1, running: null, last: null },
    told: [{ destination: "crm" as never, sync: 1, parts: [{ set: "set of now", upTo: null }] }],
  };
}
