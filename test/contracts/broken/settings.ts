// Stores that keep settings wrongly.

import { type DeliveryStore, epochMs, type SettingsRevision, type SettingsStore } from "@postrider/core";
import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import { type Access, overGatedDisk, settingsBehindGate } from "./gated-disk.js";
import type { Storage } from "./storage.js";

type ChangeSettings = (settings: SettingsStore) => Partial<SettingsStore>;

/** A store with changed settings. */
function withSettings(change: ChangeSettings): (store: DeliveryStore) => DeliveryStore {
  return ({ settings, ...store }) =>
    settings === undefined ? store : { ...store, settings: { ...settings, ...change(settings) } };
}

/** Keeps the settings in the memory of the process. */
export function keepingSettingsInMemory(store: DeliveryStore): DeliveryStore {
  const { settings } = createMemoryStore({ disk: createMemoryDisk() });
  return settings === undefined ? store : { ...store, settings };
}

/** Keeps a document as its value, and writes it anew. */
export const rewritingDocuments = withSettings((settings) => ({
  put: (edit, now) => settings.put({ ...edit, document: JSON.stringify(JSON.parse(edit.document)) }, now),
}));

/** Keeps the keys of a document in their order by name. */
export const sortingKeys = withSettings((settings) => ({
  put: (edit, now) => {
    const value: unknown = JSON.parse(edit.document);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const sorted = isObject ? Object.fromEntries(Object.entries(value).toSorted()) : value;
    return settings.put({ ...edit, document: isObject ? JSON.stringify(sorted) : edit.document }, now);
  },
}));

/** Cuts a document that is long. */
export const cuttingDocuments = withSettings((settings) => ({
  put: (edit, now) => settings.put({ ...edit, document: edit.document.slice(0, 65_536) }, now),
}));

/** Keeps a document in composed letters. */
export const composingDocuments = withSettings((settings) => ({
  put: (edit, now) => settings.put({ ...edit, document: edit.document.normalize("NFC") }, now),
}));

/** Keeps who has changed settings without blanks at either end. */
export const trimmingActors = withSettings((settings) => ({
  put: ({ actor, ...edit }, now) => settings.put(actor === undefined ? edit : { ...edit, actor: actor.trim() }, now),
}));

/** Takes an empty editor for none. */
export const droppingEmptyActors = withSettings((settings) => ({
  put: ({ actor, ...edit }, now) => settings.put(actor === "" || actor === undefined ? edit : { ...edit, actor }, now),
}));

/** Puts settings over any others. */
export const overwritingSettings = withSettings((settings) => ({
  put: async (edit, now) => {
    const latest = await settings.latest(0);
    return settings.put({ ...edit, expect: latest?.revision ?? 0 }, now);
  },
}));

/** Refuses only editors who have seen too little. */
export const trustingTheFuture = withSettings((settings) => ({
  put: async (edit, now) => {
    const revision = (await settings.latest(0))?.revision ?? 0;
    return settings.put({ ...edit, expect: edit.expect > revision ? revision : edit.expect }, now);
  },
}));

/** Says `stale` with the revision that was expected. */
export const tellingTheExpected = withSettings((settings) => ({
  put: async (edit, now) => {
    const answer = await settings.put(edit, now);
    return answer.kind === "stale" ? { ...answer, revision: edit.expect } : answer;
  },
}));

/** Answers the latest settings to whom they are not new. */
export const tellingAlways = withSettings((settings) => ({ latest: () => settings.latest(0) }));

/** Answers the revision that follows, and not the latest. */
export const tellingTheNext = withSettings((settings) => ({
  latest: async (above) => (await settings.find(above + 1)) ?? settings.latest(above),
}));

/** Finds the latest revision in place of one that is not kept. */
export const findingTheLatest = withSettings((settings) => ({
  find: async (revision) => (await settings.find(revision)) ?? settings.latest(0),
}));

/** Lists the history by the times that its writers told. */
export const listingByTime = withSettings((settings) => ({
  history: async () => (await settings.history()).toSorted((one, other) => other.changedAt - one.changedAt),
}));

/** Lists the oldest revision first. */
export const listingOldestRevisionFirst = withSettings((settings) => ({
  history: async () => (await settings.history()).toReversed(),
}));

/** Lists one revision fewer than are kept. */
export const listingTooFew = withSettings((settings) => ({
  history: async () => (await settings.history()).slice(0, 49),
}));

/** Keeps all revisions. */
export function keepingAllRevisions(): (store: DeliveryStore) => DeliveryStore {
  const dropped = new Map<number, SettingsRevision>();
  return withSettings((settings) => ({
    put: async (edit, now) => {
      const answer = await settings.put(edit, now);
      const latest = await settings.latest(0);
      if (latest !== undefined) dropped.set(latest.revision, latest);
      return answer;
    },
    find: async (revision) => (await settings.find(revision)) ?? dropped.get(revision),
  }));
}

/** Keeps the instants of changes as seconds. */
export const changingBySeconds = withSettings((settings) => ({
  put: (edit, now) => settings.put(edit, epochMs(Math.floor(now / 1_000) * 1_000 + 1)),
}));

/** Reads the settings once, and never again. */
export const rememberingSettings = withSettings((settings) => {
  let known: ReturnType<SettingsStore["latest"]> | undefined;
  return {
    latest: async (above) => {
      known ??= settings.latest(0);
      const latest = await known;
      return latest === undefined || latest.revision <= above ? undefined : latest;
    },
    put: (edit, now) => {
      known = undefined;
      return settings.put(edit, now);
    },
  };
});

/** Takes away what is due while settings are put. */
export function claimingWhilePutting(store: DeliveryStore): DeliveryStore {
  return withSettings((settings) => ({
    put: async (edit, now) => {
      const { lanes } = await store.lanes({ limit: 1_000 }, now);
      const asked = lanes.map(({ lane }) => ({ lane, limit: 1_000 }));
      await store.claim({ token: "settings" as never, leaseMs: 1_000, lanes: asked }, now);
      return settings.put(edit, now);
    },
  }))(store);
}

/** Says that there are no settings when it cannot read. */
export function readingNoSettings(): Storage {
  return overGatedSettings((settings) => ({
    latest: (above) => settings.latest(above).catch(() => undefined),
    history: () => settings.history().catch(() => []),
  }));
}

/** Looks at the history after a put, and is `busy` if it cannot. */
export function busyAfterPutting(): Storage {
  return overGatedSettings((settings) => ({
    put: async (edit, now) => {
      const answer = await settings.put(edit, now);
      await settings.history();
      return answer;
    },
  }));
}

/** Looks at the latest revision first, and then writes over whatever is there. */
export function puttingInTwoSteps(): Storage {
  return overGatedSettings((settings) => ({
    put: async (edit, now) => {
      const revision = (await settings.latest(0))?.revision ?? 0;
      if (revision !== edit.expect) return { kind: "stale", revision };
      const answer = await settings.put(edit, now);
      return answer.kind === "stored" ? answer : settings.put({ ...edit, expect: answer.revision }, now);
    },
  }));
}

/** Keeps the revision in one access, and its editor in a further one. */
export function puttingActorsLater(): Storage {
  const actors = new Map<number, { readonly actor: string }>();
  return overGatedSettings((settings, access) => ({
    put: async ({ actor, ...edit }, now) => {
      const answer = await settings.put(edit, now);
      if (answer.kind === "stored" && actor !== undefined)
        await access(() => Promise.resolve(actors.set(answer.revision, { actor })));
      return answer;
    },
    latest: async (above) => withActor(await settings.latest(above), actors),
    find: async (revision) => withActor(await settings.find(revision), actors),
    history: async () => (await settings.history()).map((change) => ({ ...change, ...actors.get(change.revision) })),
  }));
}

function withActor(
  found: SettingsRevision | undefined,
  actors: ReadonlyMap<number, { readonly actor: string }>,
): SettingsRevision | undefined {
  return found && { ...found, ...actors.get(found.revision) };
}

function overGatedSettings(change: (settings: SettingsStore, access: Access) => Partial<SettingsStore>): Storage {
  return overGatedDisk(({ store: { settings }, access }) => {
    if (settings === undefined) return {};
    const gated = settingsBehindGate(settings, access);
    return { settings: { ...gated, ...change(gated, access) } };
  });
}
