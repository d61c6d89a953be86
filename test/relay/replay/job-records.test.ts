import { epochMs, replayJobId, type ReplayJob } from "@postrider/core";
import { newReplayJob } from "@postrider/core/engine";
import { createManualClock, createMemoryStore } from "@postrider/memory";
import { ResultAsync } from "neverthrow";
import { expect, it } from "vitest";
import { createJobRecords } from "../../../packages/relay/src/replay/job-requests.js";

async function world() {
  const jobs = createMemoryStore().replayJobs!;
  const records = createJobRecords(createManualClock(), (question) => ResultAsync.fromSafePromise(question(jobs)));
  const id = replayJobId("j1");
  const job = newReplayJob({ id, createdAt: epochMs(5), expected: 2, filter: { states: ["dead"] } });
  await jobs.create(job);
  return { jobs, records, job };
}

const increment = (job: ReplayJob): ReplayJob => ({ ...job, replayed: job.replayed + 1 });

it("a job is changed as it is stored, not as it was known", async () => {
  const { jobs, records, job } = await world();
  const first = (await records.change(job, increment))._unsafeUnwrap();
  expect(first).toEqual({ ...job, revision: 2, replayed: 1 });
  const second = (await records.change(job, increment))._unsafeUnwrap();
  expect(second).toEqual({ ...job, revision: 3, replayed: 2 });
  expect(await jobs.find(job.id)).toEqual(second);
});

it("a job that this process must not change stays, and one that is gone is told as such", async () => {
  const { jobs, records, job } = await world();
  expect((await records.change(job, () => undefined))._unsafeUnwrap()).toBeUndefined();
  expect(await jobs.find(job.id)).toEqual(job);
  const gone = { ...job, id: replayJobId("j2") };
  expect((await records.change(gone, increment))._unsafeUnwrap()).toBeUndefined();
});
