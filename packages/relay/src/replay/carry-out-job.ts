// Carries a replay job on, page by page (decision: replay jobs). A page is named in the record before it is replayed, and counted
// together with the naming of the next one. Nothing is in memory between two turns, so that a job that another process carries
// on replays and counts each delivery once.

import type { Clock, DeliveryId, DeliverySummary, ReplayJob } from "@postrider/core";
import { beginReplayStep, countReplayStep, releaseReplayJob, takeReplayJob } from "@postrider/core/engine";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import type { LongWork } from "../audience/long-work.js";
import { REPLAY_STEPS_PER_TURN, SLICE_PAUSE_MS } from "../limits.js";
import type { EmitEvent } from "../relay-event.js";
import type { StoreFault } from "../fault.js";
import type { JobPages } from "./job-pages.js";
import type { JobRecords } from "./job-records.js";

/** The dependencies of a change of the record. */
interface ChangeTask {
  readonly clock: Pick<Clock, "wall">;
  readonly records: JobRecords;
  /** The random text of this process. */
  readonly owner: string;
}

interface StepTask extends ChangeTask {
  readonly pages: JobPages;
}

interface EndTask extends ChangeTask {
  readonly work: LongWork;
  readonly emit: EmitEvent;
}

interface DoTask extends StepTask {
  readonly replay: StoreReplays;
}

export interface JobTask extends DoTask, EndTask {}

/** Stores replays in one commit, and answers the ids of those that could be stored. */
export type StoreReplays = (deliveries: readonly DeliverySummary[]) => ResultAsync<readonly DeliveryId[], StoreFault>;

/**
 * `more`: the job can be carried on at once. `ended`: it is done, was cancelled, or another process has it. `later`: a lane is
 * long, or the store failed.
 */
export type JobProgress = "more" | "ended" | "later";

/** Takes a job that no other process has, and carries out some steps. */
export async function carryOutJob(task: JobTask, known: ReplayJob): Promise<JobProgress> {
  const taken = await take(task, known);
  if (taken.isErr()) return "later";
  return taken.value === undefined ? "ended" : carryOn(task, taken.value);
}

async function carryOn(task: JobTask, taken: ReplayJob): Promise<JobProgress> {
  let now: Uncounted = { job: taken };
  for (let steps = 0; steps < REPLAY_STEPS_PER_TURN && task.work.shouldContinue(); steps += 1) {
    const done = await doStep(task, now);
    if (done === "full") return store(task, now, "later");
    if (typeof done === "string") return done;
    now = done;
    if (now.job.step?.next === undefined) break;
    await task.work.pause(SLICE_PAUSE_MS);
  }
  return store(task, now, "more");
}

/** Begins the next step, or takes up the one in the record, and does it. `full`: a lane has no room for it. */
async function doStep(task: DoTask, now: Uncounted): Promise<Uncounted | "full" | "ended" | "later"> {
  const isBegun = now.job.step !== undefined && now.replayed === undefined;
  const begun = isBegun ? await repeat(task, now.job) : await begin(task, now);
  if (begun.isErr()) return begun.error.code === "lost" ? "ended" : "later";
  if (begun.value === "full") return "full";
  const { job, deliveries, before } = begun.value;
  if (job.state !== "running") return "ended";
  const replays = await task.replay(deliveries);
  return replays.isErr() ? "later" : { job, replayed: before + replays.value.length };
}

/** Undefined if it has ended, or another process has taken it since it was read. */
function take({ clock, records, owner }: ChangeTask, known: ReplayJob): ReturnType<JobRecords["change"]> {
  const holder = { owner, aliveAt: clock.wall() };
  return records.change(known, (job) =>
    job.state === "running" && job.holder?.aliveAt === known.holder?.aliveAt ? takeReplayJob(job, holder) : undefined,
  );
}

/** A record as it is stored. */
interface Uncounted {
  readonly job: ReplayJob;
  /** How many deliveries of its step were replayed, which the record does not count yet; absent if the step is not done. */
  readonly replayed?: number;
}

/** Stores what is not counted yet. A process that stops gives the job up, so that the next one need not wait. */
async function store(task: EndTask, { job, replayed }: Uncounted, otherwise: "more" | "later"): Promise<JobProgress> {
  const isStopped = !task.work.shouldContinue();
  const stored = await change(task, job, (found) => {
    const counted = count(task.clock, found, replayed);
    return isStopped ? releaseReplayJob(counted) : counted;
  });
  if (stored.isErr()) return stored.error.code === "lost" ? "ended" : "later";
  const { state, id, ...counts } = stored.value;
  if (state === "running") return otherwise;
  if (state === "done")
    task.emit({ kind: "replay-job-done", job: id, replayed: counts.replayed, skipped: counts.skipped });
  return "ended";
}

type JobFault = StoreFault | { readonly code: "lost" };

/** Changes the record of a job that this process has. It may have been cancelled, which leaves its owner. */
async function change(
  { records, clock, owner }: ChangeTask,
  known: ReplayJob,
  next: (job: ReplayJob) => ReplayJob,
): Promise<Result<ReplayJob, JobFault>> {
  const aliveAt = clock.wall();
  const changed = await records.change(known, (job) =>
    job.holder?.owner === owner ? next({ ...job, holder: { owner, aliveAt } }) : undefined,
  );
  return changed.andThen((job) => (job === undefined ? err<ReplayJob, JobFault>({ code: "lost" }) : ok(job)));
}

function count(clock: Pick<Clock, "wall">, job: ReplayJob, replayed: number | undefined): ReplayJob {
  return replayed === undefined ? job : countReplayStep(job, replayed, clock.wall());
}

/** A step that stands in the record. */
interface Begun {
  readonly job: ReplayJob;
  /** What is left to replay of it. */
  readonly deliveries: readonly DeliverySummary[];
  /** How many deliveries of the step were replayed before. */
  readonly before: number;
}

/** Names the next page in the record, and counts the one before. */
async function begin(task: StepTask, { job, replayed }: Uncounted): Promise<Result<Begun | "full", JobFault>> {
  const page = await task.pages.next(count(task.clock, job, replayed));
  if (page.isErr()) return err(page.error);
  if (page.value === "full") return ok("full");
  const { step, deliveries } = page.value;
  const begun = await change(task, job, (found) => {
    const counted = count(task.clock, found, replayed);
    return counted.state === "running" ? beginReplayStep(counted, step) : counted;
  });
  return begun.map((stored) => ({ job: stored, deliveries, before: 0 }));
}

/** Takes up a step that this process, or another one, has begun and not counted. */
async function repeat({ pages }: Pick<StepTask, "pages">, job: ReplayJob): Promise<Result<Begun, StoreFault>> {
  const left = await pages.left(job);
  return left.map((deliveries) => ({
    job,
    deliveries,
    before: (job.step?.deliveries.length ?? 0) - deliveries.length,
  }));
}
