// Carries out replay jobs in any process that runs: those of this process at once, and at intervals those that another process
// accepted, or left when its lease ended.

import type { Clock, Random, ReplayJob } from "@postrider/core";
import { isLeaseValid } from "@postrider/core/engine";
import { errAsync } from "neverthrow";
import { createLongWork } from "../audience/long-work.js";
import { REPLAY_JOBS_EVERY_MS, REPLAY_LANE_PAUSE_MS, TOKEN_BYTES } from "../limits.js";
import { createLoop, type Loop } from "../loop.js";
import { randomHex } from "../random-hex.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { Storage } from "../commits/storage.js";
import type { EmitEvent } from "../relay-event.js";
import { carryOutJob, type JobProgress, type StoreReplays } from "./carry-out-job.js";
import { createJobPages, type JobPagesContext } from "./job-pages.js";
import { createJobRecords } from "./job-records.js";
import { createJobRequests } from "./job-requests.js";
import type { ReplayJobs } from "./replay-jobs.js";

export interface ReplayJobsContext extends JobPagesContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly storage: Storage;
  readonly settings: SettingsInForce;
  readonly emit: EmitEvent;
  readonly replay: StoreReplays;
}

export interface ReplayJobLoop extends Pick<Loop, "start" | "stop"> {
  readonly methods: ReplayJobs;
}

/** `isStopped`: whether requests of the host are to end. */
export function createReplayJobs(context: ReplayJobsContext, isStopped: () => boolean): ReplayJobLoop {
  const { clock, random, storage, settings, emit, replay } = context;
  const { askReplayJobs } = storage;
  if (askReplayJobs === undefined) return UNSUPPORTED;
  const records = createJobRecords(clock, askReplayJobs);
  const pages = createJobPages(context);
  const loop = createLoop(clock, takeTurn);
  const shouldContinue = (): boolean => !loop.isStopped();
  /** Drawn when the first job is taken. */
  let owner: string | undefined;

  async function takeTurn(): Promise<number> {
    const running = await records.ask((jobs) => jobs.list({ running: true }));
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
