// Reading sets: from any position on, and by name.

import { expectEqual } from "../check.js";
import { NASTY_IDS, numberedIds } from "./samples.js";
import type { AudienceCase } from "./scene.js";

export const READING_CASES: readonly AudienceCase[] = [
  {
    name: "a set that was never written has no members, and no name",
    async play(scene) {
      expectEqual(await scene.store().read(scene.uniqueName("unknown")), [], "the members");
      await scene.append(scene.uniqueName("empty"), []);
      expectEqual(await scene.store().read(scene.uniqueName("empty")), [], "the members, once none were appended");
      expectEqual(await scene.store().sets(scene.uniqueName("")), [], "the names");
    },
  },
  {
    name: "reading continues after any text, whether it is a member or not",
    async play(scene) {
      const set = scene.uniqueName("set");
      const members = NASTY_IDS.filter((_, index) => index % 2 === 0);
      await scene.append(set, members);
      for (const after of NASTY_IDS) {
        const beyond = members.filter((userId) => userId > after);
        expectEqual(await scene.readIds(set, after), beyond, `what is beyond ${JSON.stringify(after)}`);
      }
    },
  },
  {
    name: "reading continues from the middle of a large set",
    async play(scene) {
      const [set, userIds] = [scene.uniqueName("set"), numberedIds(0, 20_000)];
      await scene.append(set, userIds);
      for (const at of [0, 1, 4_999, 12_345, 19_998, 19_999]) {
        const [next] = await scene.store().read(set, userIds[at]);
        expectEqual(next?.userId, userIds[at + 1], `the member after number ${String(at)}`);
      }
    },
  },
  {
    name: "sets are found by the beginning of their names, in order",
    async play(scene) {
      const names = ["b/2", "a%", "b/10", "a_", "ab", "\ud83d\ude00", "\uffff"].map((name) => scene.uniqueName(name));
      for (const name of names) await scene.append(name, ["someone"]);
      const inOrder = names.toSorted((one, other) => (one < other ? -1 : 1));
      for (const beginning of ["", "a", "a%", "a_", "b/", "b/1", "c", "\ud83d"].map((name) => scene.uniqueName(name))) {
        const expected = inOrder.filter((name) => name.startsWith(beginning));
        expectEqual(await scene.store().sets(beginning), expected, `the sets that begin with ${beginning}`);
      }
    },
  },
];
