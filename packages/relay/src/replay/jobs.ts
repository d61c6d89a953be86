// Carries out replay jobs in any process that runs: those of this process at once, and at intervals those that another process
// accepted, or left when its lease ended. A page is named in the record before it is replayed, and counted with the naming of the next
// one; each of its deliveries is replayed once, also if a process that stood still in it goes on (decision: replay jobs).

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

/** Replays what was not replayed before, in one commit, and answers the ids of the replays. */
type StoreReplays = (deliveries: readonly DeliverySummary[]) => ResultAsync<readonly DeliveryId[], StoreFault>;

/**
 * `more`: the job can be carried on at once. `ended`: it is done, was cancelled, or another process has it. `later`: a lane
 * has no room, or the store failed.
 */
type JobProgress = "more" | "ended" | "later";

/** Takes a job that no other process has, and carries out some steps. */
async function carryOutJob(task: JobTask, job: ReplayJob): Promise<JobProgress> {
  const taken = await take(task, job);
  if (taken.isErr()) return "later";
  return taken.value === undefined ? "ended" : carryOn(task, taken.value);
}

async function carryOn(task: JobTask, job: ReplayJob): Promise<JobProgress> {
  let position: JobPosition = { job };
  for (let steps = 0; steps < REPLAY_STEPS_PER_TURN && task.work.shouldContinue(); steps += 1) {
    const outcome = await doStep(task, position);
    if (outcome === "full") return store(task, position, "later");
    if (typeof outcome === "string") return outcome;
    position = outcome;
    if (position.job.step?.next === undefined) break;
    await task.work.pause(SLICE_PAUSE_MS);
  }
  return store(task, position, "more");
}

/** Begins the next step, or takes up the one in the record, and does it. `full`: a lane has no room for it. */
async function doStep(task: DoTask, position: JobPosition): Promise<JobPosition | "full" | "ended" | "later"> {
  const isBegun = position.job.step !== undefined && position.replayed === undefined;
  const begun = isBegun ? await takeUp(task, position.job) : await begin(task, position);
  if (begun.isErr()) return begun.error.code === "lost" ? "ended" : "later";
  if (begun.value === "full") return "full";
  const { job, deliveries } = begun.value;
  if (job.state !== "running") return "ended";
  const replays = await task.replay(deliveries);
  if (replays.isErr()) return "later";
  // Of a step that is taken up, what was replayed before is refused now.
  return { job, replayed: isBegun ? deliveries.length : replays.value.length };
}

/** Undefined if it has ended, or another process has taken it since it was read. */
function take({ clock, records, owner }: ChangeTask, jobAsRead: ReplayJob): ReturnType<JobRecords["change"]> {
  const holder = { owner, aliveAt: clock.wall() };
  return records.change(jobAsRead, (job) =>
    job.state === "running" && job.holder?.aliveAt === jobAsRead.holder?.aliveAt
      ? takeReplayJob(job, holder)
      : undefined,
  );
}

/** A job as its record is stored, and what the record does not count yet. */
interface JobPosition {
  readonly job: ReplayJob;
  /** The number of deliveries of its step that were replayed; absent if there is no step, or it is not done. */
  readonly replayed?: number;
}

/**
 * Stores what is not counted yet; answers `ifRunning` if the job goes on. A process that stops gives the job up, so that the next
 * one need not wait.
 */
async function store(task: EndTask, { job, replayed }: JobPosition, ifRunning: "more" | "later"): Promise<JobProgress> {
  const isStopped = !task.work.shouldContinue();
  const stored = await change(task, job, (found) => {
    const counted = count(task.clock, found, replayed);
    return isStopped ? releaseReplayJob(counted) : counted;
  });
  if (stored.isErr()) return stored.error.code === "lost" ? "ended" : "later";
  const { state, id, ...counts } = stored.value;
  if (state === "running") return ifRunning;
  if (state === "done")
    task.emit({ kind: "replay-job-done", job: id, replayed: counts.replayed, skipped: counts.skipped });
  return "ended";
}

type JobFault = StoreFault | { readonly code: "lost" };

/** Changes the record of a job that this process has. It may have been cancelled, which leaves its owner. */
async function change(
  { records, clock, owner }: ChangeTask,
  job: ReplayJob,
  update: (job: ReplayJob) => ReplayJob,
): Promise<Result<ReplayJob, JobFault>> {
  const aliveAt = clock.wall();
  const changed = await records.change(job, (stored) =>
    stored.holder?.owner === owner ? update({ ...stored, holder: { owner, aliveAt } }) : undefined,
  );
  return changed.andThen((stored) => (stored === undefined ? err<ReplayJob, JobFault>({ code: "lost" }) : ok(stored)));
}

function count(clock: Pick<Clock, "wall">, job: ReplayJob, replayed: number | undefined): ReplayJob {
  return replayed === undefined ? job : countReplayStep(job, replayed, clock.wall());
}

/** A step that stands in the record, and the deliveries of it that are replayed, or were. */
interface BegunStep {
  readonly job: ReplayJob;
  readonly deliveries: readonly DeliverySummary[];
}

/** Names the next page in the record, and counts the previous one. */
async function begin(task: StepTask, { job, replayed }: JobPosition): Promise<Result<BegunStep | "full", JobFault>> {
  const page = await task.pages.nextPage(count(task.clock, job, replayed));
  if (page.isErr()) return err(page.error);
  if (page.value === "full") return ok("full");
  const { step, deliveries } = page.value;
  const begun = await change(task, job, (found) => {
    const counted = count(task.clock, found, replayed);
    return counted.state === "running" ? beginReplayStep(counted, step) : counted;
  });
  return begun.map((stored) => ({ job: stored, deliveries }));
}

/** Takes up a step that this process, or another one, has begun and not counted. */
async function takeUp({ pages }: Pick<StepTask, "pages">, job: ReplayJob): Promise<Result<BegunStep, StoreFault>> {
  const found = await pages.stepDeliveries(job);
  return found.map((deliveries) => ({ job, deliveries }));
}
