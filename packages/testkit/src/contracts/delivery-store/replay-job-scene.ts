// What the cases of replay jobs share: the records of a scene, among those of other cases on the same storage.

import { type DeliveryStore, epochMs, type ReplayJob, replayJobId, type ReplayJobStore } from "@postrider/core";
import { expectPresent } from "../check.js";
import type { Scene } from "./scene.js";

/** A new job that only this scene has. */
export function replayJob({ source }: Pick<Scene, "source">, name = ""): ReplayJob {
  const counts = { expected: 0, replayed: 0, skipped: 0 };
  const id = replayJobId(`${source}/${name}`);
  return { id, revision: 1, filter: { states: ["dead"] }, createdAt: epochMs(1_000), state: "running", ...counts };
}

export function replayJobsIn(store: DeliveryStore): ReplayJobStore {
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
