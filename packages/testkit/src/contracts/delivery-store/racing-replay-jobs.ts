// Two changes of one replay job at the same time, as of two processes that take it, or of an operator who cancels it.

import type { ReplayJob } from "@postrider/core";
import { expectEqual } from "../check.js";
import { raceCases } from "./race.js";
import { jobsOf, replayJob, replayJobsIn } from "./replay-job-scene.js";
import type { StoreCase, StoreRace } from "./scene.js";

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
