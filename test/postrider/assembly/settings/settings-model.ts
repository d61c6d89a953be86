// A plain model of settings that servers share: the revisions that were put, in their order. An answer is right if it is the model's at some
// instant while it was asked for.

import {
  epochMs,
  MAX_SETTINGS_HISTORY,
  type RecordKind,
  type RecordStore,
  type SettingsChange,
  type SettingsEdit,
  type SettingsRevision,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expect } from "vitest";
import type { SettingsRecords } from "../../../../packages/postrider/src/assembly/settings/settings-records.js";

export function changeOf({ revision, changedAt, actor }: SettingsRevision): SettingsChange {
  return { revision, changedAt, ...defined({ actor }) };
}

export interface SettingsModel {
  readonly revisions: SettingsRevision[];
  latest(above: number, length?: number): SettingsRevision | undefined;
  find(revision: number, length?: number): SettingsRevision | undefined;
  history(length?: number): readonly SettingsChange[];
}

/** `length`: the number of revisions at the instant that is asked for. Absent: all. */
export function createSettingsModel(): SettingsModel {
  const revisions: SettingsRevision[] = [];
  const kept = (length: number) => revisions.slice(Math.max(0, length - MAX_SETTINGS_HISTORY), length);
  return {
    revisions,
    latest: (above, length = revisions.length) => (length > above ? revisions[length - 1] : undefined),
    find: (revision, length = revisions.length) => kept(length).find((row) => row.revision === revision),
    history: (length = revisions.length) => kept(length).map(changeOf).toReversed(),
  };
}

/** A revision whose texts are distinct from those of each other name. */
export function revisionOf(revision: number, name: string): SettingsRevision {
  return { revision, document: JSON.stringify({ of: name }), actor: name, changedAt: epochMs(1_000_000 - revision) };
}

export function editOf({ revision, document, actor }: SettingsRevision): SettingsEdit {
  return { expect: revision - 1, document, ...defined({ actor }) };
}

/** Puts a number of revisions, and expects that each is stored. */
export async function putMany(settings: SettingsRecords, model: SettingsModel, count: number): Promise<void> {
  for (let place = 0; place < count; place += 1) {
    const next = revisionOf(model.revisions.length + 1, `early-${String(place)}`);
    const answer = await settings.put(editOf(next), next.changedAt);
    expect(answer).toEqual({ kind: "stored", revision: next.revision });
    model.revisions.push(next);
  }
}

/** Expects that each answer is the model's. */
export async function expectModel(settings: SettingsRecords, model: SettingsModel): Promise<void> {
  const { length } = model.revisions;
  expect(await settings.history()).toEqual(model.history());
  for (let revision = 0; revision <= length + 1; revision += 1) {
    expect(await settings.find(revision)).toEqual(model.find(revision));
    expect(await settings.latest(revision)).toEqual(model.latest(revision));
  }
}

/** The keys of the records of a kind, sorted as numbers. */
export async function keysOf(records: RecordStore, kind: RecordKind): Promise<readonly number[]> {
  const all = await records.list({ kind, limit: 1_000 });
  return all.map(({ key }) => Number(key)).toSorted((a, b) => a - b);
}

/** Expects the records of the model's history after an edit that nothing has disturbed, and no others. */
export async function expectNothingElse(records: RecordStore, model: SettingsModel): Promise<void> {
  const past = model
    .history()
    .slice(1)
    .map(({ revision }) => revision)
    .toReversed();
  expect(await keysOf(records, "settings-change")).toEqual(past);
  expect(await keysOf(records, "settings-document")).toEqual(past);
}
