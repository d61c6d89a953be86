// Adds messages, purges them, and wipes them once no delivery points at them. A message may name a user and hold
// personal data, so the table is an erasable table.

import type { NewMessage } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import { prepareErasableTable, type ErasableTable, type ErasableTablePlan } from "../rows/erasable-table.js";
import { toTextOrNull, toText } from "../rows/text.js";

export interface Messages {
  /** Returns the row of the message. */
  add(message: NewMessage): number;
  /** Removes the body, the users and the `traceparent` of a message; its deliveries stay. */
  purge(row: number): void;
  /** Wipes those of the messages that no delivery points at any more. */
  release(rows: Iterable<number>): void;
}

const MESSAGE_TABLE: ErasableTablePlan = {
  table: "message",
  neededFrom: "message",
  isNeeded: "wiped is not 2",
  blank: "insert into message (id, source, message_id, type, wiped, body) values (?, '', '', '', 2, zeroblob(?))",
  blankBytes: 13,
};

const COLUMNS = "source, message_id, type, user_id, previous_id, deletion, wiped, body, traceparent";
const WIPE = "update message set user_id = null, previous_id = null, body = null, traceparent = null";

const NEW_COLUMNS = "source, message_id, type, user_id, previous_id, deletion, body";
const ADD = `insert into message (${NEW_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?)`;
/** Few messages have a `traceparent`; the others do not pay for its column. */
const ADD_TRACED = `insert into message (${NEW_COLUMNS}, traceparent) values (?, ?, ?, ?, ?, ?, ?, ?)`;

export function prepareMessages(database: SqliteDatabase): Messages {
  const insert = database.prepare(ADD);
  const insertTraced = database.prepare(ADD_TRACED);
  const purge = database.prepare(`${WIPE}, wiped = 1 where id = ?`);
  const release = database.prepare(
    `${WIPE}, wiped = 2 where id = ? and not exists (select 1 from delivery where message = message.id)`,
  );
  const table = prepareMessageTable(database);

  return {
    add: ({ source, messageId, type, userIds = [], deletion, body, traceparent }): number => {
      const [userId, previousId] = userIds;
      const about = [toTextOrNull(userId), toTextOrNull(previousId), toTextOrNull(deletion)] as const;
      const values = [toText(source), toText(messageId), type, ...about, body] as const;
      const added =
        traceparent === undefined ? insert.run(...values) : insertTraced.run(...values, toText(traceparent));
      const row = Number(added.lastInsertRowid);
      table.rowAdded(row);
      return row;
    },
    purge: (row): void => {
      purge.run(row);
    },
    release: (rows): void => {
      table.compact([...rows].filter((row) => Number(release.run(row).changes) > 0));
    },
  };
}

/** When a message moves, its deliveries are changed to point at the new row. */
function prepareMessageTable(database: SqliteDatabase): ErasableTable {
  const copy = database.prepare(`insert into message (${COLUMNS}) select ${COLUMNS} from message where id = ?`);
  const follow = database.prepare("update delivery set message = ? where message = ?");
  const wipe = database.prepare(`${WIPE}, wiped = 2 where id = ?`);
  return prepareErasableTable(database, MESSAGE_TABLE, (id) => {
    const moved = Number(copy.run(id).lastInsertRowid);
    follow.run(moved, id);
    wipe.run(id);
    return moved;
  });
}
