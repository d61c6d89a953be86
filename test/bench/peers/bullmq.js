// The job on BullMQ: a batch becomes jobs by one `addBulk`, one worker runs 64 of them at once, what is done is removed.

import { Queue, Worker } from "bullmq";
import { CONCURRENCY } from "../settings.js";

const NAME = "deliveries";
const JOB = { attempts: 12, backoff: { type: "exponential", delay: 5_000 }, removeOnComplete: true };

export async function open({ port }, deliver) {
  const options = { connection: { host: "127.0.0.1", port } };
  const queue = new Queue(NAME, options);
  let settled = 0;
  const worker = new Worker(NAME, (job) => deliver(job.data.text), { ...options, concurrency: CONCURRENCY });
  worker.on("completed", () => void (settled += 1));
  await worker.waitUntilReady();
  return {
    accept: (texts) => queue.addBulk(texts.map((text) => ({ name: "deliver", data: { text }, opts: JOB }))),
    settled: () => settled,
    async inStore() {
      const counts = await queue.getJobCounts();
      const left = Object.values(counts).reduce((sum, count) => sum + count, 0);
      return { settled: settled - left, left };
    },
    async close() {
      await worker.close();
      await queue.close();
    },
  };
}
