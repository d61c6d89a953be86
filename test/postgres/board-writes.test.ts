// Two writes of the board at the same time: each is answered as if one had come after the other.

import { type BoardRow, destinationId } from "@postrider/core";
import { openPostgresStore } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { describe, expect, it } from "vitest";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

const LANES = [destinationId("one"), destinationId("another")] as const;

function rowOf(lane: BoardRow["lane"], revision: number): BoardRow {
  return { lane, revision, holds: [] };
}

for (const installed of installedServers().slice(0, 1)) {
  describe(`the board on ${installed.name}`, () => {
    const { pool } = startForSuite(installed);

    it.each([
      ["comes first by its key", 0],
      ["comes last by its key", 1],
    ])("takes the second revision of a lane whose first is written at that moment, if that lane %s", async (_, at) => {
      const schema = `board_writes_${String(at)}`;
      const { board } = await openPostgresStore({ pool: pool(), clock: createSystemClock(), schema });
      await board!.write(LANES.map((lane) => rowOf(lane, 1)));
      const sql = `delete from ${schema}.board_lane returning key::text, convert_from(record, 'UTF8')::json ->> 'lane' as lane`;
      const keyed = (await pool().query(sql)).rows.map(({ key, lane }) => ({ key: String(key), lane: String(lane) }));
      keyed.sort((one, other) => (one.key < other.key ? -1 : 1));
      const [seconded, other] = [destinationId(keyed[at]!.lane), destinationId(keyed[1 - at]!.lane)];

      const client = await pool().connect();
      await client.query({ text: "begin" });
      await client.query({
        text: `select * from ${schema}.write_board($1, $2, $3)`,
        values: [
          keyed.map(({ key }) => key),
          [1, 1],
          keyed.map(({ lane }) => Buffer.from(JSON.stringify(rowOf(destinationId(lane), 1)))),
        ],
      });
      const written = board!.write([rowOf(seconded, 2), rowOf(other, 1)]);
      const waiting = "select count(*)::int4 as locks from pg_locks where not granted";
      await expect.poll(async () => (await pool().query(waiting)).rows).toEqual([{ locks: 1 }]);
      await client.query({ text: "commit" });
      client.release();

      expect(await written).toEqual([rowOf(other, 1)]);
      expect(await board!.write([rowOf(seconded, 2)])).toEqual([rowOf(seconded, 2)]);
    });
  });
}
