// The records of replay jobs, each as JSON beside what is asked for. Each method is one statement.

import type { ReplayJob, ReplayJobId, ReplayJobStore } from "@postrider/core";
import { hashKeyOf } from "../wire/key.js";
import { readBytes, type TextRow } from "../wire/read-row.js";
import type { Functions } from "./commit.js";

/** The replay jobs of a store. */
export function createPostgresReplayJobs({ connection, schema }: Functions): ReplayJobStore {
  const table = `${schema}.replay_job`;
  const durable = `${schema}.promise_durable()`;

  return {
    create: async (job) => {
      const rows = await connection.ask(
        `insert into ${table} (key, revision, is_running, created_at, record)
          select $1::uuid, $2::int8, $3::boolean, $4::int8, $5::bytea from ${durable} on conflict do nothing returning revision`,
        [hashKeyOf(job.id), ...valuesOf(job)],
      );
      return rows.length > 0;
    },
    replace: async (job) => {
      const rows = await connection.ask(
        `update ${table} set revision = $2::int8, is_running = $3::boolean, created_at = $4::int8, record = $5::bytea from ${durable}
          where key = $1::uuid and revision = $2::int8 - 1 returning revision`,
        [hashKeyOf(job.id), ...valuesOf(job)],
      );
      return rows.length > 0;
    },
    find: async (id: ReplayJobId) => {
      const [row] = await connection.brief(`select record from ${table} where key = $1::uuid`, [hashKeyOf(id)]);
      return row && readJob(row);
    },
    list: async ({ running = false }) => {
      const rows = await connection.brief(
        `select record from ${table} where is_running or not $1::boolean order by created_at desc, key`,
        [running],
      );
      return rows.map(readJob);
    },
    remove: async (id): Promise<void> => {
      await connection.ask(`delete from ${table} using ${durable} where key = $1::uuid`, [hashKeyOf(id)]);
    },
  };
}

function valuesOf(job: ReplayJob): readonly unknown[] {
  return [job.revision, job.state === "running", job.createdAt, Buffer.from(JSON.stringify(job))];
}

/** JSON keeps every text, since it escapes lone surrogates. */
function readJob(row: TextRow): ReplayJob {
  return JSON.parse(readBytes(row, "record").toString("utf8")) as ReplayJob;
}
