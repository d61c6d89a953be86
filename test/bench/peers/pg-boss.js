// The job on pg-boss: a batch becomes jobs by one `insert`. Its worker sleeps between two batches; instead, loops fetch,
// deliver and complete a batch each, for which `fetch` and `complete` are public.

import { setTimeout as sleep } from "node:timers/promises";
import PgBoss from "pg-boss";
import { CONCURRENCY } from "../settings.js";

const NAME = "deliveries";
const LOOPS = 2;
const IDLE_MS = 2;

export async function open({ url }, deliver) {
  const boss = new PgBoss({ connectionString: url, max: 16, supervise: false, schedule: false });
  boss.on("error", (error) => console.error(error));
  await boss.start();
  await boss.createQueue(NAME, { policy: "standard", retryLimit: 12, retryBackoff: true, retryDelay: 5 });
  let settled = 0;
  let isOpen = true;

  async function loop() {
    while (isOpen) {
      const jobs = (await boss.fetch(NAME, { batchSize: CONCURRENCY / LOOPS })) ?? [];
      if (jobs.length === 0) {
        await sleep(IDLE_MS);
        continue;
      }
      const done = await Promise.allSettled(jobs.map(({ data }) => deliver(data.text)));
      const idsOf = (status) => jobs.filter((_, index) => done[index].status === status).map(({ id }) => id);
      const [delivered, failed] = [idsOf("fulfilled"), idsOf("rejected")];
      if (delivered.length > 0) await boss.complete(NAME, delivered);
      if (failed.length > 0) await boss.fail(NAME, failed);
      settled += delivered.length;
    }
  }

  const loops = Array.from({ length: LOOPS }, loop);
  return {
    accept: (texts) => boss.insert(texts.map((text) => ({ name: NAME, data: { text } }))),
    settled: () => settled,
    async inStore() {
      const left = await boss.getQueueSize(NAME, { before: "completed" });
      const settledToo = await boss.getQueueSize(NAME, { before: "cancelled" });
      return { settled: settledToo - left, left };
    },
    async close() {
      isOpen = false;
      await Promise.all(loops);
      await boss.stop({ graceful: false });
    },
  };
}
