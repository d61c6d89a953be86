// Makes files of earlier versions with audiences, as those versions wrote them: members in pages that are rows of one table,
// and a process that died while a sync of one audience was being sent and another was collecting.

import { migrate } from "../../../packages/sqlite/src/schema/migrate.js";
import { SCHEMA_STEPS } from "../../../packages/sqlite/src/schema/schema.js";
import { textsSum } from "../../../packages/sqlite/src/rows/checksum.js";
import { sortKey } from "../../../packages/sqlite/src/audience-store/sort-key.js";
import { type Database, openFile } from "../files.js";
import { firstVersionFile } from "./first-version.js";

/** The first version that keeps audiences, and the first whose pages are in other tables. */
export const FIRST_WITH_AUDIENCES = 3;
export const FIRST_WITH_FULL_PAGES = 9;

const MEMBERS_OF_A_PAGE = 10;

export interface OldAudience {
  readonly record: Readonly<Record<string, unknown>> & { readonly key: string };
  /** Members by the name of their set; a value is that of a computed trait. */
  readonly sets: Readonly<Record<string, readonly OldMember[]>>;
}

export type OldMember = readonly [userId: string, value?: string];

/** The fields of every record since the first version with audiences. */
export function oldRecord(key: string, changes: object): OldAudience["record"] {
  return {
    ...{ name: key, kind: "audience", sendsAs: "identify", destinations: ["crm", "mail"] },
    ...{ id: `aud_${key}`, createdAt: 1, revision: 1, syncs: 0, running: null, last: null, told: [] },
    ...changes,
    key,
  };
}

export async function audienceFile(version: number, audiences: readonly OldAudience[]): Promise<string> {
  const file = await firstVersionFile(0);
  const database = openFile(file);
  migrate(database, SCHEMA_STEPS.slice(0, version));
  for (const audience of audiences) addAudience(database, audience);
  // A connection lives until it is collected: the rows just written would stay in the log.
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
  return file;
}

function addAudience(database: Database, { record, sets }: OldAudience): void {
  const text = JSON.stringify(record);
  const add = database.prepare("insert into audience (key, revision, record, checksum) values (?, ?, ?, ?)");
  add.run(record.key, Number(record["revision"]), text, textsSum([record.key, text]));
  for (const [set, members] of Object.entries(sets)) addSet(database, set, members);
}

function addSet(database: Database, set: string, members: readonly OldMember[]): void {
  const id = Number(database.prepare("insert into member_set (name) values (?)").run(set).lastInsertRowid);
  const add = database.prepare(
    "insert into member_page (member_set, last_id, checksum, traits, user_ids) values (?, ?, ?, ?, ?)",
  );
  for (let at = 0; at < members.length; at += MEMBERS_OF_A_PAGE) {
    const page = members.slice(at, at + MEMBERS_OF_A_PAGE);
    const userIds = JSON.stringify(page.map(([userId]) => userId));
    const hasValues = page.some(([, value]) => value !== undefined);
    const traits = hasValues ? JSON.stringify(page.map(([, value]) => value ?? null)) : null;
    const sum = textsSum([set, userIds, traits ?? ""]);
    add.run(id, sortKey(page.at(-1)?.[0] ?? ""), sum, traits, userIds);
  }
}
