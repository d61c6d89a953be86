// What a delivery remembers of its endpoints, in the order in which it was told.

import type { EndpointId, EndpointState } from "@postrider/core";
import type { SqliteDatabase } from "../database.js";
import { readMaybeBytes, readNumber, readRows, readText, type Row } from "../read-row.js";
import { toText } from "../text.js";

export interface Endpoints {
  replace(delivery: number, states: readonly EndpointState[]): void;
  read(delivery: number): readonly EndpointState[];
}

const INSERT = "insert into endpoint_state (delivery, place, endpoint, refused, excerpt) values (?, ?, ?, ?, ?)";

export function prepareEndpoints(database: SqliteDatabase): Endpoints {
  const remove = database.prepare("delete from endpoint_state where delivery = ?");
  const insert = database.prepare(INSERT);
  const read = database.prepare(
    "select endpoint, refused, excerpt from endpoint_state where delivery = ? order by place",
  );
  return {
    replace: (delivery, states): void => {
      remove.run(delivery);
      for (const [place, { endpoint, refused, excerpt }] of states.entries()) {
        insert.run(delivery, place, toText(endpoint), refused ? 1 : 0, excerpt ?? null);
      }
    },
    read: (delivery) => readRows(read.all(delivery)).map(readState),
  };
}

function readState(row: Row): EndpointState {
  const excerpt = readMaybeBytes(row, "excerpt");
  return {
    endpoint: readText(row, "endpoint") as EndpointId,
    refused: readNumber(row, "refused") === 1,
    ...(excerpt === undefined ? {} : { excerpt }),
  };
}
