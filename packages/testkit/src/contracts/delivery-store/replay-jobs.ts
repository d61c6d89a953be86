// Cases of the records of replay jobs: only a process that has read the latest changes one, and they affect nothing else.

import {
  type DeliveryStore,
  epochMs,
  type ReplayJob,
  replayJobId,
  type ReplayJobStore,
  CALL_KINDS,
  DEAD_REASONS,
  deliveryId,
  destinationId,
  type ReplayJobId,
  sourceId,
} from "@postrider/core";
import { expectPresent, expectEqual } from "../check.js";
import type { Scene, StoreCase, StoreRace } from "./scene.js";
import { expectEachItself, lookAlikes } from "../look-alikes.js";
import { raceCases } from "./race.js";

/** A new job that only this scene has. */
export function replayJob({ source }: Pick<Scene, "source">, name = ""): ReplayJob {
  const counts = { expected: 0, replayed: 0, skipped: 0 };
  const id = replayJobId(`${source}/${name}`);
  return { id, revision: 1, filter: { states: ["dead"] }, createdAt: epochMs(1_000), state: "running", ...counts };
}

function replayJobsIn(store: DeliveryStore): ReplayJobStore {
  return expectPresent(store.replayJobs, "a store that supports `replayJobs`");
}

export function jobsOf(scene: Scene): ReplayJobStore {
  return replayJobsIn(scene.store());
}

/** The records of this scene, as they are listed. */
export async function replayJobsOf(scene: Scene, running?: boolean): Promise<readonly ReplayJob[]> {
  const all = await jobsOf(scene).list(running === undefined ? {} : { running });
  return all.filter(({ id }) => id.startsWith(`${scene.source}/`));
}

export const REPLAY_JOB_CASES: readonly StoreCase[] = [
  {
    name: "a replay job is found and listed as it was given, also after a crash, until it is removed",
    needs: ["replayJobs", "restart"],
    async play(scene) {
      for (const job of samples(scene)) {
        expectEqual(await jobsOf(scene).create(job), true, "the answer to a new id");
        await scene.crash();
        expectEqual(await jobsOf(scene).find(job.id), job, "the record that is found");
        expectEqual(await replayJobsOf(scene), [job], "the records that are listed");
        await jobsOf(scene).remove(job.id);
        await jobsOf(scene).remove(job.id);
        await scene.crash();
        expectEqual(await jobsOf(scene).find(job.id), undefined, "what is found once it is removed");
        expectEqual(await replayJobsOf(scene), [], "what is listed once it is removed");
      }
    },
  },
  {
    name: "a second replay job of an id is refused, and changes nothing",
    needs: ["replayJobs"],
    async play(scene) {
      const job = replayJob(scene);
      await jobsOf(scene).create(job);
      expectEqual(await jobsOf(scene).create({ ...job, expected: 9 }), false, "the answer to an id that exists");
      expectEqual(await replayJobsOf(scene), [job], "the records");
    },
  },
  {
    name: "a replay job is replaced only by the revision that follows its own, and then whole",
    needs: ["replayJobs", "restart"],
    async play(scene) {
      const [first, ...others] = samples(scene);
      const job = expectPresent(first, "a sample");
      await jobsOf(scene).create(job);
      const before = { ...job, revision: 2, expected: 7 };
      expectEqual(await jobsOf(scene).replace(before), true, "the answer to the next revision");
      for (const revision of [1, 2, 4, 2 ** 31 + 3])
        expectEqual(await jobsOf(scene).replace({ ...job, revision }), false, `the answer to ${String(revision)}`);
      expectEqual(await replayJobsOf(scene), [before], "the record after changes that were refused");
      for (const [place, other] of others.entries()) {
        const next = { ...other, id: job.id, revision: place + 3 };
        expectEqual(await jobsOf(scene).replace(next), true, "the answer to the next revision");
        await scene.crash();
        expectEqual(await jobsOf(scene).find(job.id), next, "the record that is found");
      }
    },
  },
  {
    name: "a replay job that is not there is not replaced, and is not there afterwards",
    needs: ["replayJobs"],
    async play(scene) {
      const job = replayJob(scene);
      for (const revision of [1, 2])
        expectEqual(await jobsOf(scene).replace({ ...job, revision }), false, "the answer");
      expectEqual(await replayJobsOf(scene), [], "the records");
      await jobsOf(scene).remove(job.id);
    },
  },
  {
    name: "replay jobs are listed with the latest first, all of them or those that run",
    needs: ["replayJobs"],
    async play(scene) {
      const ends = ["done", "running", "cancelled"] as const;
      const jobs = Array.from({ length: 60 }, (_, place): ReplayJob => {
        // Created out of order, so that the order of creation is not that of storing.
        const createdAt = epochMs(1_000_000 + ((place * 17) % 60));
        const state = ends[place % ends.length] ?? "done";
        const ended = state === "running" ? {} : { endedAt: epochMs(2_000_000) };
        return { ...replayJob(scene, String(place)), createdAt, state, ...ended };
      });
      for (const job of jobs) await jobsOf(scene).create(job);
      const latestFirst = jobs.toSorted((one, other) => other.createdAt - one.createdAt).map(({ id }) => id);
      const running = new Set(jobs.filter(({ state }) => state === "running").map(({ id }) => id));
      expectEqual(ids(await replayJobsOf(scene)), latestFirst, "all of them");
      expectEqual(ids(await replayJobsOf(scene, false)), latestFirst, "all of them, asked for explicitly");
      const those = latestFirst.filter((id) => running.has(id));
      expectEqual(ids(await replayJobsOf(scene, true)), those, "those that run");
      const [latest] = await replayJobsOf(scene, true);
      const ended = expectPresent(latest, "a running job");
      await jobsOf(scene).replace({ ...ended, revision: 2, state: "cancelled", endedAt: epochMs(3_000_000) });
      expectEqual(ids(await replayJobsOf(scene, true)), those.slice(1), "those that run, once one has ended");
    },
  },
  {
    name: "a replay job is distinct from all that look alike",
    needs: ["replayJobs"],
    async play(scene) {
      const jobs = lookAlikes().map((text) => replayJob(scene, text));
      for (const job of jobs)
        expectEqual(await jobsOf(scene).create(job), true, `the answer to ${JSON.stringify(job.id)}`);
      const found = await Promise.all(jobs.map(({ id }) => jobsOf(scene).find(id)));
      expectEachItself(
        new Map(jobs.map(({ id }, place) => [id, found[place] === undefined ? [] : [found[place].id]])),
        "a replay job",
      );
      for (const [place, job] of jobs.entries()) await jobsOf(scene).replace({ ...job, revision: 2, replayed: place });
      for (const [place, { id }] of jobs.entries()) {
        expectEqual((await jobsOf(scene).find(id))?.replayed, place, `what was counted in ${JSON.stringify(id)}`);
        await jobsOf(scene).remove(id);
        expectEqual(
          (await replayJobsOf(scene)).length,
          jobs.length - place - 1,
          `how many are left without ${JSON.stringify(id)}`,
        );
      }
    },
  },
  {
    name: "a replay job changes no delivery: what it names is found, claimed and counted as before",
    needs: ["replayJobs"],
    async play(scene) {
      const id = await scene.acceptOne();
      const step = { deliveries: [id], skipped: 0 };
      await jobsOf(scene).create({ ...replayJob(scene), step });
      await jobsOf(scene).remove(replayJob(scene).id);
      expectEqual(await scene.claimIds(), [id], "what a claim hands out");
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "beside a replay job");
    },
  },
  {
    name: "what one process stores of a replay job, another sees",
    needs: ["replayJobs", "sharing"],
    async play(scene) {
      const other = await scene.openAnother();
      const job = replayJob(scene);
      await jobsOf(scene).create(job);
      expectEqual(await replayJobsIn(other).replace({ ...job, revision: 2 }), true, "the answer to the other");
      expectEqual(await jobsOf(scene).replace({ ...job, revision: 2 }), false, "the answer to who was too late");
      await replayJobsIn(other).remove(job.id);
      expectEqual(await replayJobsOf(scene), [], "what is left when the other has removed it");
      await other.close();
    },
  },
];

/** A page of a relay, and more. */
const MANY_IDS = 500;

const MESSAGE_TYPES = [...CALL_KINDS, "delete"] as const;

/** Records in each state, with and without each field, and with texts and numbers that are easily lost. */
function samples(scene: Scene): readonly ReplayJob[] {
  const [plain, at] = [replayJob(scene), epochMs(1_767_225_600_123)];
  const filter = {
    states: ["delivered", "dead"],
    reason: "expired",
    details: lookAlikes(20),
    source: sourceId("a\u0000'\ud800"),
    destination: destinationId("\u00e9"),
    type: "delete",
    acceptedSince: epochMs(0),
    acceptedBefore: epochMs(2 ** 53 - 2),
  } as const;
  const step = { deliveries: Array.from({ length: MANY_IDS }, (_, place) => deliveryId(String(place))), skipped: 3 };
  const holder = { owner: "one\u0000", aliveAt: epochMs(0) };
  const counts = { expected: 2 ** 31 + 1, replayed: 2 ** 32 + 1, skipped: 2 ** 53 - 2 };
  return [
    plain,
    { ...plain, filter, step: { ...step, next: "next\udc00" }, after: "", holder, ...counts, createdAt: epochMs(0) },
    {
      ...plain,
      filter: { states: [], details: [] },
      step: { deliveries: [], skipped: 0 },
      holder: { ...holder, aliveAt: at },
    },
    { ...plain, state: "done", endedAt: at, createdAt: epochMs(2 ** 53 - 2) },
    { ...plain, state: "cancelled", endedAt: epochMs(0), step },
    ...DEAD_REASONS.map((reason): ReplayJob => ({ ...plain, filter: { states: ["dead"], reason } })),
    ...MESSAGE_TYPES.map((type): ReplayJob => ({ ...plain, filter: { states: ["delivered"], type } })),
  ];
}

function ids(jobs: readonly ReplayJob[]): readonly ReplayJobId[] {
  return jobs.map(({ id }) => id);
}

const JOB_RACES: readonly StoreRace[] = [
  {
    name: "two changes of one revision of a replay job at the same time: one takes effect, and only its caller hears so",
    needs: ["replayJobs"],
    async play(scene, { other, together }) {
      const job = replayJob(scene);
      await jobsOf(scene).create(job);
      const change = (replayed: number): ReplayJob => ({ ...job, revision: 2, replayed });
      const answers = await together(
        () => jobsOf(scene).replace(change(1)),
        () => replayJobsIn(other).replace(change(2)),
      );
      expectEqual(answers.toSorted(), [false, true], "what the two are answered");
      expectEqual(await jobsOf(scene).find(job.id), change(answers[0] ? 1 : 2), "the record that is kept");
    },
  },
  {
    name: "two replay jobs of one id at the same time: one is created, and only its caller hears so",
    needs: ["replayJobs"],
    async play(scene, { other, together }) {
      const [one, two] = [replayJob(scene), { ...replayJob(scene), expected: 2 }];
      const answers = await together(
        () => jobsOf(scene).create(one),
        () => replayJobsIn(other).create(two),
      );
      expectEqual(answers.toSorted(), [false, true], "what the two are answered");
      expectEqual(await jobsOf(scene).find(one.id), answers[0] ? one : two, "the record that is kept");
    },
  },
];

export const RACING_REPLAY_JOB_CASES: readonly StoreCase[] = raceCases(JOB_RACES);
