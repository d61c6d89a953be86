// The settings that servers share, as records of their store: one record of the revision in force, and two of each revision before it, its
// change and its document. Each step is a commit, so an editor may die between any two of them (decision: settings in the store).

import {
  createStoreError,
  type EpochMs,
  MAX_SETTINGS_HISTORY,
  type RecordStore,
  type SettingsChange,
  type SettingsEdit,
  type SettingsPutResult,
  type SettingsRevision,
  type StoreError,
  type StoredRecord,
} from "@postrider/core";
import {
  CURRENT_SETTINGS,
  decodeSettings,
  decodeSettingsChange,
  defined,
  encodePastSettings,
  encodeSettings,
} from "@postrider/core/engine";

/**
 * The settings that all servers of a store share, as revisions: 1, 2, 3 and so on, without a gap. The latest `MAX_SETTINGS_HISTORY` of
 * them are there. Each method rejects with a `StoreError`: `corrupt` if a record is not one that a server has put.
 */
export interface SettingsRecords {
  /** Stores the document as the revision `expect + 1`, if `expect` is the latest one. Otherwise answers `stale`, and changes nothing. */
  put(edit: SettingsEdit, now: EpochMs): Promise<SettingsPutResult>;
  /** The latest revision, if it is higher than `above`. Costs little otherwise, however long the document is. */
  latest(above: number): Promise<SettingsRevision | undefined>;
  /** One of the latest `MAX_SETTINGS_HISTORY` revisions. */
  find(revision: number): Promise<SettingsRevision | undefined>;
  /** Their changes, without the documents: the latest first, by revision. */
  history(): Promise<readonly SettingsChange[]>;
}

/** The most reads of the history, if another revision is put during each. */
const MAX_HISTORY_LOOKS = 5;

export function createSettingsRecords(records: RecordStore): SettingsRecords {
  async function latest(above: number): Promise<SettingsRevision | undefined> {
    const record = await records.find("settings", CURRENT_SETTINGS, above);
    return record && readLatest(record);
  }

  /** Adds the document of a revision, then its change, each once. Both are added before the next revision: only the latest may lack them. */
  async function addToHistory(revision: SettingsRevision): Promise<void> {
    for (const record of encodePastSettings(revision)) await records.put(record);
  }

  /**
   * Removes the revisions up to `highest` from the history, each document before the change by which it is found. `added` is the revision
   * that this editor has added: if many others were first, it came late, and perhaps its document has no change.
   */
  async function removeUpTo(highest: number, added: number): Promise<void> {
    if (highest < 1) return;
    const changes = await listChanges(records);
    const keys = new Set([String(added), ...changes.map(({ key }) => key)]);
    for (const key of [...keys].filter((revision) => Number(revision) <= highest)) {
      await records.remove("settings-document", key);
      await records.remove("settings-change", key);
    }
  }

  return {
    latest,
    put: async ({ expect, document, actor }, now) => {
      const previous = await latest(0);
      if (expect !== (previous?.revision ?? 0)) return { kind: "stale", revision: previous?.revision ?? 0 };
      if (previous !== undefined) await addToHistory(previous);
      const edited = { revision: expect + 1, changedAt: now, ...defined({ actor }), document };
      const isStored = await records.put(encodeSettings(edited));
      const revision = isStored ? edited.revision : ((await latest(0))?.revision ?? 0);
      // If this fails, the revisions are in no answer, and are removed after the next edit.
      await removeUpTo(revision - MAX_SETTINGS_HISTORY, expect).catch(() => undefined);
      return { kind: isStored ? "stored" : "stale", revision };
    },
    find: async (revision) => {
      const latestRevision = await latest(0);
      if (latestRevision?.revision === revision) return latestRevision;
      if (latestRevision === undefined || !isPast(revision, latestRevision.revision)) return undefined;
      const key = String(revision);
      const change = await records.find("settings-change", key);
      const document = await records.find("settings-document", key);
      if (change === undefined || document === undefined) return undefined;
      return { ...readChange(change), document: document.text };
    },
    history: async () => {
      for (let looks = 0; looks < MAX_HISTORY_LOOKS; looks += 1) {
        const latestRevision = await latest(0);
        if (latestRevision === undefined) return [];
        const changes = (await listChanges(records)).map(readChange);
        const isLatest = (await records.find("settings", CURRENT_SETTINGS, latestRevision.revision)) === undefined;
        if (isLatest) return newestFirst(latestRevision, changes);
      }
      throw createStoreError("unavailable", "the settings of the store change with each look");
    },
  };
}

/** Reads in pages, since revisions that are no longer in the history may wait for their removal. */
async function listChanges(records: Pick<RecordStore, "list">): Promise<readonly StoredRecord[]> {
  const changes: StoredRecord[] = [];
  for (;;) {
    const after = changes.at(-1)?.key;
    const query = { kind: "settings-change", limit: MAX_SETTINGS_HISTORY, ...defined({ after }) } as const;
    const page = await records.list(query);
    changes.push(...page);
    if (page.length < MAX_SETTINGS_HISTORY) return changes;
  }
}

/** The latest revision may be among the changes already: its editor has died, or is about to put the next one. */
function newestFirst(latest: SettingsRevision, changes: readonly SettingsChange[]): readonly SettingsChange[] {
  const { revision, changedAt, actor } = latest;
  const past = changes.filter((change) => isPast(change.revision, revision));
  return [{ revision, changedAt, ...defined({ actor }) }, ...past.toSorted((a, b) => b.revision - a.revision)];
}

/** True if a revision is before the latest one, and still in its history. */
function isPast(revision: number, latest: number): boolean {
  return Number.isInteger(revision) && revision > Math.max(0, latest - MAX_SETTINGS_HISTORY) && revision < latest;
}

/** Throws for a text that no server has put, such as one without the line of the change. */
function readLatest(record: StoredRecord): SettingsRevision {
  const { text } = record;
  const change = text.includes("\n") ? tryToDecode(decodeSettings, record) : undefined;
  if (change?.revision !== record.revision) throw notOurs(record);
  const { revision, changedAt, actor, document } = change;
  return { revision, changedAt, ...defined({ actor }), document };
}

function readChange(record: StoredRecord): SettingsChange {
  const change = tryToDecode(decodeSettingsChange, record);
  if (change === undefined || String(change.revision) !== record.key) throw notOurs(record);
  return change;
}

/** Undefined if the text is not one of a change. */
function tryToDecode<T extends SettingsChange>(
  decode: (record: StoredRecord) => T,
  record: StoredRecord,
): T | undefined {
  try {
    const change = decode(record);
    const { actor, changedAt } = change as { readonly actor?: unknown; readonly changedAt?: unknown };
    const isText = actor === undefined || typeof actor === "string";
    return isText && typeof changedAt === "number" ? change : undefined;
  } catch {
    return undefined;
  }
}

function notOurs({ kind, key }: StoredRecord): StoreError {
  return createStoreError(
    "corrupt",
    `the record ${JSON.stringify(key)} of the kind ${kind} is not one that a server has put`,
  );
}
