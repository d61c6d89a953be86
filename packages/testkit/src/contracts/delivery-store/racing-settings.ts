// Two uses of the settings at the same time: two editors who have seen the same revision, and one who reads while another writes.

import { expectEqual, expectThat } from "../check.js";
import { raceCases } from "./race.js";
import type { StoreCase, StoreRace } from "./scene.js";
import { documentOf, putNext, settingsIn, settingsOf } from "./settings-scene.js";

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
