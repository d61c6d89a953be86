// Stores and reads the states of the endpoints of a delivery, in the order of the settlement.

import { defined } from "@postrider/core/engine";
import { endpointId, type EndpointState, epochMs } from "@postrider/core";
import type { SqliteDatabase } from "../file/database.js";
import {
  readMaybeBytes,
  readMaybeNumber,
  readNumber,
  readRow,
  readRows,
  readText,
  type Row,
} from "../rows/read-row.js";
import { toText } from "../rows/text.js";
import { prepareExcerpts } from "./excerpts.js";

export interface EndpointStatements {
  replace(delivery: number, states: readonly EndpointState[]): void;
  /** Removes the states and excerpts of these deliveries. */
  remove(deliveries: readonly number[]): void;
  /** Removes the excerpts, and keeps the states. */
  removeExcerpts(delivery: number): void;
  read(delivery: number): readonly EndpointState[];
}

const INSERT = `
  insert into endpoint_state (delivery, place, endpoint, refused, refused_at, excerpt) values (?, ?, ?, ?, ?, ?)`;

const READ = `
  select e.endpoint, e.refused, e.refused_at, e.excerpt, x.bytes from endpoint_state e left join excerpt x on x.id = e.excerpt
  where e.delivery = ? order by e.place`;

export function prepareEndpoints(database: SqliteDatabase): EndpointStatements {
  const remove = database.prepare("delete from endpoint_state where delivery = ? returning excerpt");
  const any = database.prepare("select 1 as found from endpoint_state where delivery = ? limit 1");
  const insert = database.prepare(INSERT);
  const excerptsOf = database.prepare("select excerpt from endpoint_state where delivery = ?");
  const removeExcerpts = database.prepare("update endpoint_state set excerpt = null where delivery = ?");
  const read = database.prepare(READ);
  const excerpts = prepareExcerpts(database);

  /**
   * Removes the states; returns the rows of their excerpts. First looks whether there are states, since most deliveries
   * have none.
   */
  function removeOf(delivery: number): readonly number[] {
    return readRow(any.get(delivery)) === undefined ? [] : rowsOf(remove.all(delivery));
  }

  return {
    replace: (delivery, states): void => {
      excerpts.wipe(removeOf(delivery));
      for (const [place, { endpoint, refused, refusedAt, excerpt }] of states.entries()) {
        const row = excerpt === undefined ? null : excerpts.add(delivery, place, excerpt);
        insert.run(delivery, place, toText(endpoint), refused ? 1 : 0, refusedAt ?? null, row);
      }
    },
    remove: (deliveries): void => {
      excerpts.wipe(deliveries.flatMap(removeOf));
    },
    removeExcerpts: (delivery): void => {
      const rows = rowsOf(excerptsOf.all(delivery));
      if (rows.length === 0) return;
      removeExcerpts.run(delivery);
      excerpts.wipe(rows);
    },
    read: (delivery) => readRows(read.all(delivery)).map(readState),
  };
}

function rowsOf(answers: readonly unknown[]): readonly number[] {
  return readRows(answers)
    .map((row) => readMaybeNumber(row, "excerpt"))
    .filter((row) => row !== undefined);
}

function readState(row: Row): EndpointState {
  const refusedAt = readMaybeNumber(row, "refused_at");
  const excerpt = readMaybeNumber(row, "excerpt") === undefined ? undefined : readMaybeBytes(row, "bytes");
  return {
    endpoint: endpointId(readText(row, "endpoint")),
    refused: readNumber(row, "refused") === 1,
    ...defined({ refusedAt: refusedAt === undefined ? undefined : epochMs(refusedAt), excerpt }),
  };
}
