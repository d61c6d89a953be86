// Cases of `erase`, which removes users from a set at any position and no others, of `scrub`, which then overwrites what was
// removed (the glossary's erasure), and of a crash or a close, after which all that was written is there.

import { expectEqual } from "../check.js";
import { newRecord } from "../record-store/scene.js";
import { MANY_MEMBERS } from "./members.js";
import { NASTY_IDS, numberedIds, type AudienceCase } from "./scene.js";

export const ERASING_CASES: readonly AudienceCase[] = [
  {
    name: "erased users are removed from their set, at any position, and no other users are",
    async play(scene) {
      const [set, other, userIds] = [scene.uniqueName("set"), scene.uniqueName("other"), numberedIds(0, MANY_MEMBERS)];
      await scene.append(set, userIds);
      await scene.append(other, userIds.slice(0, 10));
      const erasedIds = new Set([
        ...userIds.slice(0, 3),
        ...userIds.slice(20_000, 24_000),
        userIds[30_001] ?? "",
        userIds.at(-1) ?? "",
      ]);
      await scene.store().erase(set, [...erasedIds].toReversed());
      expectEqual(
        await scene.readIds(set),
        userIds.filter((userId) => !erasedIds.has(userId)),
        "the members",
      );
      expectEqual(await scene.readIds(other), userIds.slice(0, 10), "the members of the other set");
    },
  },
  {
    name: "erasing returns how many of the users were in the set, and ignores the others",
    async play(scene) {
      const setName = scene.uniqueName("set");
      await scene.append(setName, ["b", "d", "f"]);
      const userIds = ["a", "b", "c", "f", "g"];
      expectEqual(await scene.store().erase(setName, userIds), 2, "the answer");
      expectEqual(await scene.store().erase(setName, userIds), 0, "the answer to the same once more");
      expectEqual(
        await scene.store().erase(scene.uniqueName("unknown"), userIds),
        0,
        "the answer for a set that is not there",
      );
      expectEqual(await scene.readIds(setName), ["d"], "the members");
    },
  },
  {
    name: "a set that loses its last member is gone, and its name is free",
    async play(scene) {
      const setName = scene.uniqueName("set");
      await scene.append(setName, ["b", "c"]);
      await scene.store().erase(setName, ["b", "c"]);
      expectEqual(await scene.store().read(setName), [], "its members");
      expectEqual(await scene.store().sets(setName), [], "the names of sets");
      await scene.append(setName, ["a"]);
      expectEqual(await scene.readIds(setName), ["a"], "the members of the next one");
    },
  },
  {
    name: "reading and appending continue after users were erased",
    async play(scene) {
      const setName = scene.uniqueName("set");
      await scene.append(setName, ["a", "c", "e", "g"]);
      await scene.store().erase(setName, ["c", "g"]);
      expectEqual(await scene.readIds(setName, "c"), ["e"], "those beyond one who was erased");
      await scene.append(setName, ["f"]);
      expectEqual(await scene.readIds(setName), ["a", "e", "f"], "the members");
    },
  },
  {
    name: "values stay with their users when others are erased",
    async play(scene) {
      const setName = scene.uniqueName("set");
      const members = [{ userId: "a", value: "1" }, { userId: "b" }, { userId: "c", value: '"x  "' }];
      await scene.store().append(setName, [...members, { userId: "d", value: "4" }]);
      await scene.store().erase(setName, ["d"]);
      expectEqual(await scene.readAll(setName), members, "the members");
    },
  },
  {
    name: "any text is erased exactly as it is",
    async play(scene) {
      const setName = scene.uniqueName("set");
      await scene.append(setName, NASTY_IDS);
      const odd = NASTY_IDS.filter((_, index) => index % 2 === 1);
      expectEqual(await scene.store().erase(setName, odd), odd.length, "the answer");
      expectEqual(
        await scene.readIds(setName),
        NASTY_IDS.filter((_, index) => index % 2 === 0),
        "the members",
      );
    },
  },
  {
    name: "erased users stay erased after a crash",
    needs: ["restart"],
    async play(scene) {
      const setName = scene.uniqueName("set");
      await scene.append(setName, ["a", "b", "c"]);
      await scene.store().erase(setName, ["b"]);
      await scene.crash();
      expectEqual(await scene.readIds(setName), ["a", "c"], "the members");
    },
  },
  {
    name: "a store that no other process has open is scrubbed, and keeps its contents",
    async play(scene) {
      const [record, set] = [newRecord(scene), scene.uniqueName("set")];
      await scene.store().records.put(record);
      await scene.append(set, ["a", "b"]);
      await scene.store().erase(set, ["b"]);
      expectEqual(await scene.store().scrub(), true, "the answer");
      expectEqual(await scene.store().scrub(), true, "the answer where there is nothing to do");
      expectEqual(await scene.store().records.find(record.kind, record.key), record, "the record");
      expectEqual(await scene.readIds(set), ["a"], "the members");
    },
  },
];

export const SURVIVING_CASES: readonly AudienceCase[] = [
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
      const [dropped, dropping] = [scene.uniqueName("dropped"), scene.uniqueName("dropping")];
      for (const setName of [dropped, dropping]) await scene.append(setName, numberedIds(0, MANY_MEMBERS));
      await scene.drop(dropped);
      await scene.store().drop(dropping);
      await scene.crash();
      expectEqual(await scene.store().read(dropped), [], "the members of the one that was dropped");
      await scene.drop(dropping);
      expectEqual(await scene.store().sets(scene.uniqueName("")), [], "the names of sets");
    },
  },
  {
    name: "a closed store opens again with all its contents",
    needs: ["restart"],
    async play(scene) {
      const record = newRecord(scene);
      await scene.store().records.put(record);
      await scene.append(scene.uniqueName("set"), ["a"]);
      await scene.store().close();
      await scene.reopen();
      expectEqual(await scene.store().records.find(record.kind, record.key), record, "the record");
      expectEqual(await scene.readIds(scene.uniqueName("set")), ["a"], "the members");
    },
  },
];
