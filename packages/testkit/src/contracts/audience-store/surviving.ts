// What is written is there after a crash.

import { expectEqual } from "../check.js";
import { MANY_MEMBERS } from "./appending.js";
import { nextRevision, numberedIds, sendingRecord } from "./samples.js";
import type { AudienceCase } from "./scene.js";

export const SURVIVING_CASES: readonly AudienceCase[] = [
  {
    name: "an audience survives a crash, as it was created or replaced",
    needs: ["restart"],
    async play(scene) {
      const [created, old] = [scene.record("created"), scene.record("old")];
      const replaced = nextRevision(sendingRecord(old));
      await scene.store().create(old);
      await scene.store().replace(replaced);
      await scene.store().create(created);
      await scene.crash();
      expectEqual(await scene.store().find(created.key), created, "the one that was created");
      expectEqual(await scene.store().find(replaced.key), replaced, "the one that was replaced");
      expectEqual(await scene.store().create(old), false, "the answer to a key that is taken");
    },
  },
  {
    name: "members survive a crash right after their append, and more can be added",
    needs: ["restart"],
    async play(scene) {
      const [set, userIds] = [scene.uniqueName("set"), numberedIds(0, MANY_MEMBERS)];
      await scene.append(set, userIds.slice(0, 10));
      await scene.append(set, userIds.slice(10));
      await scene.crash();
      expectEqual((await scene.readIds(set)).length, MANY_MEMBERS, "how many there are");
      await scene.append(set, ["z"]);
      expectEqual((await scene.readIds(set)).at(-1), "z", "the last");
    },
  },
  {
    name: "a dropped set stays dropped after a crash, and an interrupted drop can be continued",
    needs: ["restart"],
    async play(scene) {
      const [gone, going] = [scene.uniqueName("gone"), scene.uniqueName("going")];
      for (const set of [gone, going]) await scene.append(set, numberedIds(0, MANY_MEMBERS));
      await scene.drop(gone);
      await scene.store().drop(going);
      await scene.crash();
      expectEqual(await scene.store().read(gone), [], "the members of the one that was dropped");
      await scene.drop(going);
      expectEqual(await scene.store().sets(scene.uniqueName("")), [], "the names of sets");
    },
  },
  {
    name: "a closed store opens again with all its contents",
    needs: ["restart"],
    async play(scene) {
      const record = scene.record("kept");
      await scene.store().create(record);
      await scene.append(scene.uniqueName("set"), ["a"]);
      await scene.store().close();
      await scene.crash();
      expectEqual(await scene.store().find(record.key), record, "the audience");
      expectEqual(await scene.readIds(scene.uniqueName("set")), ["a"], "the members");
    },
  },
];
