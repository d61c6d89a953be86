// Cases of settings: revisions come back as they were put, follow one another without a gap, and replace only what
// their editor has seen. All cases on a storage add to one sequence, so each begins with the latest revision.

import {
  type DeliveryStore,
  type EpochMs,
  MAX_SETTINGS_HISTORY,
  type SettingsChange,
  type SettingsEdit,
  type SettingsRevision,
  type SettingsStore,
  epochMs,
  MAX_ACTOR_LENGTH,
  MAX_SETTINGS_BYTES,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import type { Scene, StoreCase, StoreRace } from "./scene.js";
import { expectEachItself, lookAlikes } from "../look-alikes.js";
import { raceCases } from "./race.js";

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
async function lastRevision(store: DeliveryStore): Promise<number> {
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
function changeOf({ revision, actor, changedAt }: SettingsRevision): SettingsChange {
  return { revision, changedAt, ...defined({ actor }) };
}

/** How many revisions are kept once this one is the latest. */
export function keptOf(revision: number): number {
  return Math.min(revision, MAX_SETTINGS_HISTORY);
}

export const SETTINGS_CASES: readonly StoreCase[] = [
  {
    name: "a revision of the settings comes back unit by unit, also after a crash",
    needs: ["settings", "restart"],
    async play(scene) {
      for (const edit of samples(scene)) {
        const put = await putNext(scene, edit);
        await scene.crash();
        expectEqual(await settingsOf(scene).latest(0), put, "the latest revision");
        expectEqual(await settingsOf(scene).find(put.revision), put, "the revision that is found");
        expectEqual((await settingsOf(scene).history())[0], changeOf(put), "the first of the history");
      }
    },
  },
  {
    name: "settings replace only the revision that their editor expects; all others are answered the latest one",
    needs: ["settings"],
    async play(scene) {
      const put = await putNext(scene);
      const { revision } = put;
      const wrong = [revision - 1, revision + 1, revision + 2 ** 32, 2 ** 53 - 2, -revision, revision + 0.5];
      for (const expect of wrong) {
        const answer = await settingsOf(scene).put({ expect, document: documentOf(scene, "wrong") }, scene.now());
        expectEqual(answer, { kind: "stale", revision }, `the answer to one who expects ${String(expect)}`);
      }
      expectEqual(await settingsOf(scene).latest(0), put, "the latest revision");
      expectEqual((await settingsOf(scene).history()).length, keptOf(revision), "how many revisions are kept");
      await putNext(scene, { document: put.document });
    },
  },
  {
    name: "the latest settings are answered to a caller to whom they are new, and to no other",
    needs: ["settings"],
    async play(scene) {
      const before = await putNext(scene);
      const put = await putNext(scene, { document: documentOf(scene, "after") });
      for (const above of [0, before.revision, before.revision - 1, before.revision + 0.5, -1])
        expectEqual(await settingsOf(scene).latest(above), put, `the latest above ${String(above)}`);
      for (const above of [put.revision, put.revision + 0.5, put.revision + 1, 2 ** 53 - 2])
        expectEqual(await settingsOf(scene).latest(above), undefined, `the latest above ${String(above)}`);
      for (const revision of [0, -1, put.revision - 0.5, put.revision + 1])
        expectEqual(await settingsOf(scene).find(revision), undefined, `the revision ${String(revision)}`);
    },
  },
  {
    name: "the history of the settings has the latest first and keeps a fixed number, also while clocks go back",
    needs: ["settings"],
    async play(scene) {
      const puts: SettingsRevision[] = [];
      for (let place = 0; place <= MAX_SETTINGS_HISTORY; place += 1) {
        const edit = { document: documentOf(scene, place), actor: String(place) };
        puts.push(await putNext(scene, edit, epochMs(scene.now() - place * 1_000)));
      }
      const [dropped, ...kept] = puts;
      const history = await settingsOf(scene).history();
      expectEqual(history, kept.toReversed().map(changeOf), "the history");
      for (const put of kept) expectEqual(await settingsOf(scene).find(put.revision), put, "a revision that is kept");
      expectEqual(await settingsOf(scene).find(dropped?.revision ?? 0), undefined, "the one that is too many");
    },
  },
  {
    name: "settings and their editors are distinct from all that look alike",
    needs: ["settings"],
    async play(scene) {
      const texts = lookAlikes(MAX_ACTOR_LENGTH);
      const [actors, documents] = [new Map<string, readonly string[]>(), new Map<string, readonly string[]>()];
      for (const text of texts) {
        await putNext(scene, { actor: text, document: documentOf(scene, { [text]: text }) });
        const found = await settingsOf(scene).latest(0);
        actors.set(text, found?.actor === undefined ? [] : [found.actor]);
        documents.set(text, textsIn(found?.document));
      }
      expectEachItself(actors, "the editor of settings");
      expectEachItself(documents, "a text in settings");
    },
  },
  {
    name: "settings change no delivery: what is stored is found, claimed and counted as before",
    needs: ["settings"],
    async play(scene) {
      const id = await scene.acceptOne();
      await putNext(scene, { document: JSON.stringify({ sources: [], destinations: [] }) });
      expectEqual(await scene.claimIds(), [id], "what a claim hands out");
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "beside settings");
    },
  },
  {
    name: "what one process puts into the settings, another sees and follows",
    needs: ["settings", "sharing"],
    async play(scene) {
      const other = await scene.openAnother();
      await lastRevision(other);
      const put = await putNext(scene);
      expectEqual(await settingsIn(other).latest(put.revision - 1), put, "what the other process sees");
      const next = { expect: put.revision, document: documentOf(scene, "other") };
      const answer = await settingsIn(other).put(next, scene.now());
      expectEqual(answer, { kind: "stored", revision: put.revision + 1 }, "the answer to the other");
      const late = await settingsOf(scene).put(next, scene.now());
      expectEqual(late, { kind: "stale", revision: put.revision + 1 }, "the answer to who was too late");
      expectEqual(await lastRevision(scene.store()), put.revision + 1, "the latest revision");
      await other.close();
    },
  },
];

/** Documents and editors with what is easily lost, and the largest of both. */
function samples(scene: Scene): readonly Partial<SettingsEdit>[] {
  const frame = documentOf(scene, "").length;
  return [
    {},
    { actor: "" },
    { actor: "a\u0000'\ud800", document: '{"b":1,"a":2,"10":3,"9":4,"__proto__":{"b":0}}' },
    { document: '{ "spaces" : [ ] ,\n\t"twice":1,"twice":2 }' },
    { document: "[1.0,1e2,-0,9007199254740993,0.1,1e400]" },
    { document: JSON.stringify(lookAlikes()) },
    { document: JSON.stringify("\u2028\u2029\u007f\u0085\ufeff\u{1f468}\u200d\u{1f469}'\"\\") },
    { document: documentOf(scene, "x".repeat(MAX_SETTINGS_BYTES - frame)), actor: "x".repeat(MAX_ACTOR_LENGTH) },
  ];
}

/** The texts of a document that a case has put, and its keys, each once. */
function textsIn(document: string | undefined): readonly string[] {
  if (document === undefined) return [];
  const { more } = JSON.parse(document) as { readonly more: Readonly<Record<string, string>> };
  return [...new Set(Object.entries(more).flat())];
}

const SETTINGS_RACES: readonly StoreRace[] = [
  {
    name: "two editors of one revision of the settings at the same time: one is taken, and the other is told",
    needs: ["settings"],
    async play(scene, { other, together }) {
      const { revision } = await putNext(scene);
      const edit = (actor: string) => ({ expect: revision, document: documentOf(scene, actor), actor });
      const answers = await together(
        () => settingsOf(scene).put(edit("one"), scene.now()),
        () => settingsIn(other).put(edit("other"), scene.now()),
      );
      const kinds = answers.map(({ kind }) => kind);
      expectEqual(kinds.toSorted(), ["stale", "stored"], "what the two are answered");
      expectEqual(new Set(answers.map((answer) => answer.revision)).size, 1, "how many latest revisions they hear of");
      const { document, actor } = edit(kinds[0] === "stored" ? "one" : "other");
      const expected = { document, actor, revision: revision + 1, changedAt: scene.now() };
      expectEqual(await settingsOf(scene).latest(0), expected, "the revision that is kept");
    },
  },
  {
    name: "who asks for the latest settings while others put some is answered a whole revision, before or after",
    needs: ["settings"],
    async play(scene, { other, together }) {
      const before = await putNext(scene, { actor: "before" });
      const { revision } = before;
      const edit = { expect: revision, document: documentOf(scene, "after") };
      const [, seen] = await together(
        () => settingsOf(scene).put(edit, scene.now()),
        () => settingsIn(other).latest(revision - 1),
      );
      const after = { revision: revision + 1, document: edit.document, changedAt: scene.now() };
      if (seen?.revision === revision) expectEqual(seen, before, "the revision before");
      else expectEqual(seen, after, "the revision after");
      expectThat((await settingsOf(scene).latest(revision)) !== undefined, "the edit is the latest revision");
    },
  },
];

export const RACING_SETTINGS_CASES: readonly StoreCase[] = raceCases(SETTINGS_RACES);
