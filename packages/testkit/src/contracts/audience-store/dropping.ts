// Dropping sets: in parts, completely, and no other sets.

import { expectEqual, expectThat } from "../check.js";
import { MANY_MEMBERS } from "./appending.js";
import { numberedIds } from "./samples.js";
import type { AudienceCase } from "./scene.js";

export const DROPPING_CASES: readonly AudienceCase[] = [
  {
    name: "a dropped set is gone, and other sets are not",
    async play(scene) {
      const [gone, left] = [scene.uniqueName("set"), scene.uniqueName("set 2")];
      await scene.append(gone, numberedIds(0, MANY_MEMBERS));
      await scene.append(left, ["a"]);
      await scene.drop(gone);
      expectEqual(await scene.store().read(gone), [], "its members");
      expectEqual(await scene.store().sets(scene.uniqueName("")), [left], "the names of sets");
      expectEqual(await scene.readIds(left), ["a"], "the members of the other");
    },
  },
  {
    name: "the rest of a set between two parts of its drop is still in order",
    async play(scene) {
      const [set, userIds] = [scene.uniqueName("set"), numberedIds(0, MANY_MEMBERS)];
      await scene.append(set, userIds);
      const isGone = await scene.store().drop(set);
      const left = await scene.readIds(set);
      expectEqual(isGone, left.length === 0, "whether nothing is left");
      expectThat(left.length < MANY_MEMBERS, "nothing has been dropped");
      expectThat(
        left.every((userId, index) => index === 0 || userId > (left[index - 1] ?? "")),
        "it is out of order",
      );
      await scene.drop(set);
      expectEqual(await scene.store().read(set), [], "the members in the end");
    },
  },
  {
    name: "dropping a set that does not exist succeeds",
    async play(scene) {
      expectEqual(await scene.store().drop(scene.uniqueName("unknown")), true, "the answer");
    },
  },
  {
    name: "a name is free again once its set is dropped",
    async play(scene) {
      const set = scene.uniqueName("set");
      await scene.append(set, ["b", "c"]);
      await scene.drop(set);
      await scene.append(set, ["a"]);
      expectEqual(await scene.readIds(set), ["a"], "the members");
    },
  },
];
