// Carries out replay jobs in any process that runs: those of this process at once, and at intervals those that another process
// accepted, or left when its lease ended. A page is named in the record before it is replayed, and counted with the naming of the
// next one, so that a job that another process carries on counts each delivery once (decision: replay jobs).

import type { Clock, Random, ReplayJob, DeliveryId, DeliverySummary } from "@postrider/core";
import {
  isLeaseValid,
  beginReplayStep,
  countReplayStep,
  releaseReplayJob,
  takeReplayJob,
} from "@postrider/core/engine";
import { errAsync, err, ok, type Result, type ResultAsync } from "neverthrow";
import { createLongWork, createLoop, type Loop, type LongWork } from "../loop.js";
import {
  REPLAY_JOBS_EVERY_MS,
  REPLAY_LANE_PAUSE_MS,
  TOKEN_BYTES,
  REPLAY_STEPS_PER_TURN,
  SLICE_PAUSE_MS,
} from "../limits.js";
import { randomHex } from "../random-hex.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { Storage } from "../commits/storage.js";
import type { EmitEvent } from "../relay-event.js";
import { createJobPages, type JobPagesContext, type JobPages } from "./preview.js";
import { createJobRecords, type JobRecords, createJobRequests } from "./job-requests.js";
import type { ReplayJobs } from "../requests.js";
import type { StoreFault } from "../fault.js";

/** The tag of jobs that are to be carried out: their state. */
const RUNNING: ReplayJob["state"] = "running";

const refuse = (): ReturnType<ReplayJobs["cancelReplay"]> => errAsync({ code: "not-supported" });

const UNSUPPORTED: ReplayJobLoop = {
  start: () => undefined,
  stop: () => Promise.resolve(),
  methods: {
    previewReplay: () => errAsync({ code: "not-supported" }),
    startReplay: refuse,
    cancelReplay: refuse,
    replayJob: refuse,
    replayJobs: () => errAsync({ code: "not-supported" }),
  },
};

interface ReplayJobsContext extends JobPagesContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly storage: Storage;
  readonly settings: SettingsInForce;
  readonly emit: EmitEvent;
  readonly replay: StoreReplays;
}

interface ReplayJobLoop extends Pick<Loop, "start" | "stop"> {
  readonly methods: ReplayJobs;
}

/** `isStopped`: whether requests of the host are to end. */
export function createReplayJobs(context: ReplayJobsContext, isStopped: () => boolean): ReplayJobLoop {
  const { clock, random, storage, settings, emit, replay } = context;
  const { askRecords } = storage;
  if (askRecords === undefined) return UNSUPPORTED;
  const records = createJobRecords(clock, askRecords);
  const pages = createJobPages(context);
  const loop = createLoop(clock, takeTurn);
  const shouldContinue = (): boolean => !loop.isStopped();
  /** Drawn when the first job is taken. */
  let owner: string | undefined;

  async function takeTurn(): Promise<number> {
    const running = await records.list(RUNNING);
    const progress: JobProgress[] = [];
    for (const job of running.isOk() ? running.value.toReversed() : []) {
      if (!shouldContinue()) break;
      if (isFree(job)) progress.push(await carryOut(job));
    }
    if (progress.includes("more")) loop.wake();
    return progress.includes("later") ? REPLAY_LANE_PAUSE_MS : REPLAY_JOBS_EVERY_MS;
  }

  function isFree({ holder }: ReplayJob): boolean {
    const { leaseMs } = settings.workspace().delivery;
    return holder === undefined || holder.owner === owner || !isLeaseValid(holder, leaseMs, clock.wall());
  }

  function carryOut(job: ReplayJob): Promise<JobProgress> {
    owner ??= randomHex(random, TOKEN_BYTES);
    const work = createLongWork(clock, shouldContinue);
    return carryOutJob({ clock, records, owner, pages, work, emit, replay }, job);
  }

  return {
    start: loop.start,
    stop: () => loop.stop(),
    methods: createJobRequests({ clock, random, settings, storage, records, isStopped, onStarted: loop.wake }),
  };
}

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

interface JobTask extends DoTask, EndTask {}

/** Stores replays in one commit, and answers the ids of those that could be stored. */
type StoreReplays = (deliveries: readonly DeliverySummary[]) => ResultAsync<readonly DeliveryId[], StoreFault>;

/**
 * `more`: the job can be carried on at once. `ended`: it is done, was cancelled, or another process has it. `later`: a lane is
 * long, or the store failed.
 */
type JobProgress = "more" | "ended" | "later";

/** Takes a job that no other process has, and carries out some steps. */
async function carryOutJob(task: JobTask, known: ReplayJob): Promise<JobProgress> {
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
  /** The deliveries of its step that were replayed, which the record does not count yet; absent if the step is not done. */
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
  /** The deliveries that it still has to replay. */
  readonly deliveries: readonly DeliverySummary[];
  /** The number of deliveries of the step that were replayed before. */
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
