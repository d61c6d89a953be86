// What the cases of settings share. A storage has one sequence of revisions, which all cases on it add to: so each case begins with
// the latest revision that it finds.

import {
  type DeliveryStore,
  type EpochMs,
  MAX_SETTINGS_HISTORY,
  type SettingsChange,
  type SettingsEdit,
  type SettingsRevision,
  type SettingsStore,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectEqual, expectPresent } from "../check.js";
import type { Scene } from "./scene.js";

export function settingsIn(store: DeliveryStore): SettingsStore {
  return expectPresent(store.settings, "a store that supports `settings`");
}

export function settingsOf(scene: Scene): SettingsStore {
  return settingsIn(scene.store());
}

/** A document with the name of its scene, and whatever else is given. */
export function documentOf({ source }: Pick<Scene, "source">, more: unknown = null): string {
  return JSON.stringify({ of: source, more });
}

/** The number of the latest revision; 0 if there is none. */
export async function lastRevision(store: DeliveryStore): Promise<number> {
  return (await settingsIn(store).latest(0))?.revision ?? 0;
}

/** Puts what follows the latest revision, expects that it is stored, and returns what `latest` is to answer from then on. */
export async function putNext(
  scene: Scene,
  edit: Partial<SettingsEdit> = {},
  changedAt: EpochMs = scene.now(),
): Promise<SettingsRevision> {
  const expect = await lastRevision(scene.store());
  const next = { document: documentOf(scene), ...edit };
  const answer = await settingsOf(scene).put({ ...next, expect }, changedAt);
  expectEqual(answer, { kind: "stored", revision: expect + 1 }, "the answer to an edit of the latest revision");
  return { ...next, revision: expect + 1, changedAt };
}

/** What the history tells of a revision. */
export function changeOf({ revision, actor, changedAt }: SettingsRevision): SettingsChange {
  return { revision, changedAt, ...defined({ actor }) };
}

/** How many revisions are kept once this one is the latest. */
export function keptOf(revision: number): number {
  return Math.min(revision, MAX_SETTINGS_HISTORY);
}
