// The job on plainjob: a batch becomes jobs by one `addMany`, 64 workers run one at a time each. By default its commits
// are not durable; that is set right after it has opened the file.

import { DatabaseSync, enhance } from "@photostructure/sqlite";
import { join } from "node:path";
import { better, defineQueue, defineWorker, JobStatus } from "plainjob";
import { CONCURRENCY } from "../settings.js";

const TYPE = "deliver";
const POLL_MS = 5;
const SILENT = { error: console.error, warn: console.warn, info: () => undefined, debug: () => undefined };

export async function open({ folder }, deliver) {
  const database = enhance(new DatabaseSync(join(folder, "plainjob.db")));
  const queue = defineQueue({ connection: better(database), logger: SILENT, serializer: (text) => text });
  database.exec("pragma synchronous = full");
  let settled = 0;
  const workers = Array.from({ length: CONCURRENCY }, () =>
    defineWorker(TYPE, ({ data }) => deliver(data), {
      queue,
      logger: SILENT,
      pollIntervall: POLL_MS,
      onCompleted: () => void (settled += 1),
    }),
  );
  const running = workers.map((worker) => worker.start());
  return {
    accept: async (texts) => queue.addMany(TYPE, texts),
    settled: () => settled,
    inStore: async () => {
      const done = queue.countJobs({ status: JobStatus.Done });
      return { settled: done, left: queue.countJobs() - done };
    },
    durability: async () =>
      ["journal_mode", "synchronous"]
        .map((name) => `${name} ${Object.values(database.prepare(`pragma ${name}`).get())[0]}`)
        .join(", "),
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all(running);
      queue.close();
    },
  };
}
