// What a delivery remembers of its endpoints, in the order in which it was told.

import type { EndpointId, EndpointState } from "@postrider/core";
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

export interface Endpoints {
  replace(delivery: number, states: readonly EndpointState[]): void;
  /** Removes all that these deliveries remember. */
  remove(deliveries: readonly number[]): void;
  /** Removes what they answered. */
  removeExcerpts(delivery: number): void;
  read(delivery: number): readonly EndpointState[];
}

const INSERT = "insert into endpoint_state (delivery, place, endpoint, refused, excerpt) values (?, ?, ?, ?, ?)";

const READ = `
  select e.endpoint, e.refused, e.excerpt, x.bytes from endpoint_state e left join excerpt x on x.id = e.excerpt
  where e.delivery = ? order by e.place`;

export function prepareEndpoints(database: SqliteDatabase): Endpoints {
  const remove = database.prepare("delete from endpoint_state where delivery = ? returning excerpt");
  const any = database.prepare("select 1 as found from endpoint_state where delivery = ? limit 1");
  const insert = database.prepare(INSERT);
  const excerptsOf = database.prepare("select excerpt from endpoint_state where delivery = ?");
  const removeExcerpts = database.prepare("update endpoint_state set excerpt = null where delivery = ?");
  const read = database.prepare(READ);
  const excerpts = prepareExcerpts(database);

  /** Answers the rows of the excerpts that nobody needs any more. Most deliveries remember nothing. */
  function removeOf(delivery: number): readonly number[] {
    return readRow(any.get(delivery)) === undefined ? [] : rowsOf(remove.all(delivery));
  }

  return {
    replace: (delivery, states): void => {
      excerpts.wipe(removeOf(delivery));
      for (const [place, { endpoint, refused, excerpt }] of states.entries()) {
        const row = excerpt === undefined ? null : excerpts.add(delivery, place, excerpt);
        insert.run(delivery, place, toText(endpoint), refused ? 1 : 0, row);
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
  const excerpt = readMaybeNumber(row, "excerpt") === undefined ? undefined : readMaybeBytes(row, "bytes");
  return {
    endpoint: readText(row, "endpoint") as EndpointId,
    refused: readNumber(row, "refused") === 1,
    ...(excerpt === undefined ? {} : { excerpt }),
  };
}
