import { epochMs, replayJobId, type ReplayJob } from "@postrider/core";
import { decodeReplayJob, encodeReplayJob, newReplayJob } from "@postrider/core/engine";
import { createManualClock, createMemoryStore } from "@postrider/memory";
import { ResultAsync } from "neverthrow";
import { expect, it } from "vitest";
import { createJobRecords } from "../../../packages/relay/src/replay/job-requests.js";

async function world() {
  const store = createMemoryStore().records!;
  const records = createJobRecords(createManualClock(), (question) => ResultAsync.fromSafePromise(question(store)));
  const id = replayJobId("j1");
  const job = newReplayJob({ id, createdAt: epochMs(5), expected: 2, filter: { states: ["dead"] } });
  await store.put(encodeReplayJob(job));
  return { stored: async () => decodeReplayJob((await store.find("replay-job", id))!), records, job };
}

const increment = (job: ReplayJob): ReplayJob => ({ ...job, replayed: job.replayed + 1 });

it("a job is changed as it is stored, not as it was known", async () => {
  const { stored, records, job } = await world();
  const first = (await records.change(job, increment))._unsafeUnwrap();
  expect(first).toEqual({ ...job, revision: 2, replayed: 1 });
  const second = (await records.change(job, increment))._unsafeUnwrap();
  expect(second).toEqual({ ...job, revision: 3, replayed: 2 });
  expect(await stored()).toEqual(second);
});

it("a job that this process must not change stays, and one that is gone is told as such", async () => {
  const { stored, records, job } = await world();
  expect((await records.change(job, () => undefined))._unsafeUnwrap()).toBeUndefined();
  expect(await stored()).toEqual(job);
  const gone = { ...job, id: replayJobId("j2") };
  expect((await records.change(gone, increment))._unsafeUnwrap()).toBeUndefined();
});
