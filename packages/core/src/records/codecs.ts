// The codecs of records: how a pause, a replay job, an audience and the settings become the text that a record store keeps, and how they
// are read back. The keys of the JSON are part of the stored format. A store has checked that a text is the one that was stored.

import type { AudienceRecord } from "../audience/audience.js";
import { defined } from "../defined.js";
import { type DestinationId, destinationId, type EpochMs } from "../ids.js";
import type { StoredRecord } from "../ports/record-store.js";
import type { ReplayJob } from "../replay/replay-job.js";
import type { SettingsChange, SettingsRevision } from "../settings/shared-settings.js";

/** A pause that an operator has set. */
export interface LanePause {
  readonly lane: DestinationId;
  readonly pausedAt: EpochMs;
}

/** The record of a pause; a lane that is paused again keeps the record that it has. */
export function encodePause({ lane, pausedAt }: LanePause): StoredRecord {
  return { kind: "pause", key: lane, revision: 1, text: JSON.stringify({ pausedAt }) };
}

/** The pause of a lane that a record holds. */
export function decodePause({ key, text }: StoredRecord): LanePause {
  const { pausedAt } = JSON.parse(text) as { readonly pausedAt: EpochMs };
  return { lane: destinationId(key), pausedAt };
}

/** The record of a replay job. Its tag is the state, so that running jobs are found without the others. */
export function encodeReplayJob(job: ReplayJob): StoredRecord {
  return { kind: "replay-job", key: job.id, revision: job.revision, tag: job.state, text: JSON.stringify(job) };
}

/** The replay job that a record holds. */
export function decodeReplayJob({ text }: StoredRecord): ReplayJob {
  return JSON.parse(text) as ReplayJob;
}

/** The record of an audience or of a computed trait. */
export function encodeAudience(audience: AudienceRecord): StoredRecord {
  const { key, revision } = audience;
  return { kind: "audience", key, revision, text: JSON.stringify(audience) };
}

/** The audience that a record holds. */
export function decodeAudience({ text }: StoredRecord): AudienceRecord {
  return JSON.parse(text) as AudienceRecord;
}

/** The key of the record of the settings in force. */
export const CURRENT_SETTINGS = "current";

/** The record of the settings in force: a line of JSON that tells the change, then the document as it is. */
export function encodeSettings({ document, ...change }: SettingsRevision): StoredRecord {
  const { revision } = change;
  return { kind: "settings", key: CURRENT_SETTINGS, revision, text: `${JSON.stringify(change)}\n${document}` };
}

/** The settings in force that a record holds. */
export function decodeSettings({ text }: StoredRecord): SettingsRevision {
  const end = text.indexOf("\n");
  return { ...(JSON.parse(text.slice(0, end)) as SettingsChange), document: text.slice(end + 1) };
}

/**
 * The records of a revision in the history of the settings: the change, and its document apart, so that a list of changes reads no
 * documents. Each is written once.
 */
export function encodePastSettings({ document, ...change }: SettingsRevision): readonly [StoredRecord, StoredRecord] {
  const key = String(change.revision);
  return [
    { kind: "settings-document", key, revision: 1, text: document },
    { kind: "settings-change", key, revision: 1, text: JSON.stringify(change) },
  ];
}

/** The entry of the settings history that a record holds. */
export function decodeSettingsChange({ text }: StoredRecord): SettingsChange {
  const { revision, changedAt, actor } = JSON.parse(text) as SettingsChange;
  return { revision, changedAt, ...defined({ actor }) };
}
