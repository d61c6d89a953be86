// Appending to sets of members.

import { expectEqual, expectThat } from "../check.js";
import { expectEachItself, lookAlikes } from "../look-alikes.js";
import { rejectionCodeOf } from "../rejection-of.js";
import { NASTY_IDS, numberedIds } from "./samples.js";
import type { AudienceCase } from "./scene.js";

/** The members of a large append: more than one page of any store. */
export const MANY_MEMBERS = 50_000;

export const APPENDING_CASES: readonly AudienceCase[] = [
  {
    name: "members that are appended, at once or in parts, are read in the same order",
    async play(scene) {
      const [set, userIds] = [scene.uniqueName("set"), numberedIds(0, 60)];
      await scene.append(set, userIds.slice(0, 1));
      await scene.append(set, userIds.slice(1, 50));
      await scene.append(set, userIds.slice(50));
      expectEqual(await scene.readIds(set), userIds, "the members");
    },
  },
  {
    name: "50,000 members are appended whole, and read to the end",
    async play(scene) {
      const [set, userIds] = [scene.uniqueName("set"), numberedIds(0, MANY_MEMBERS)];
      await scene.append(set, userIds);
      await scene.append(set, ["z"]);
      const read = await scene.readIds(set);
      expectEqual(read.length, MANY_MEMBERS + 1, "how many are read");
      expectThat(
        [...userIds, "z"].every((userId, index) => read[index] === userId),
        "they are not those which were appended",
      );
    },
  },
  {
    name: "any text is a user id, and comes back as it was",
    async play(scene) {
      const set = scene.uniqueName("set");
      await scene.append(set, NASTY_IDS);
      expectEqual(await scene.readIds(set), NASTY_IDS, "the ids");
    },
  },
  {
    name: "a value comes back as it was; a member without one has none",
    async play(scene) {
      const set = scene.uniqueName("set");
      const members = [
        { userId: "a", value: "1" },
        { userId: "b" },
        { userId: "c", value: "null" },
        { userId: "d", value: '{"\\ud800":"\\u0000 \u{1f600}"}' },
        { userId: "e", value: "" },
      ];
      await scene.store().append(set, members.slice(0, 2));
      await scene.store().append(set, members.slice(2));
      expectEqual(await scene.readAll(set), members, "the members");
    },
  },
  {
    name: "sets with any names are separate",
    async play(scene) {
      const names = lookAlikes().flatMap((text) => [scene.uniqueName(text), `${text}${scene.uniqueName("")}`]);
      for (const [place, name] of names.entries()) await scene.append(name, [String(place)]);
      const found = new Map<string, readonly string[]>();
      for (const name of names)
        found.set(
          name,
          (await scene.readIds(name)).map((place) => names[Number(place)] ?? place),
        );
      expectEachItself(found, "a set");
      for (const name of names) await scene.append(name, ["\uffff"]);
      for (const [place, name] of names.entries())
        expectEqual(await scene.readIds(name), [String(place), "\uffff"], "the members");
    },
  },
  {
    name: "an append of members that do not come after all members of the set is rejected, and the set stays as it was",
    async play(scene) {
      const set = scene.uniqueName("set");
      await scene.append(set, ["b", "d"]);
      for (const wrong of [["d"], ["a"], ["c", "e"], ["b", "d"]]) {
        const rejected = await rejectionCodeOf(scene.append(set, wrong));
        expectThat(rejected !== undefined, `${wrong.join(" and ")} after d: appended`);
      }
      expectEqual(await scene.readIds(set), ["b", "d"], "the members");
      await scene.append(set, ["e"]);
      expectEqual(await scene.readIds(set), ["b", "d", "e"], "the members, and one beyond them");
    },
  },
  {
    name: "members changed by their caller stay as they were stored",
    async play(scene) {
      const set = scene.uniqueName("set");
      const mine = [{ userId: "a", value: "1" }];
      await scene.store().append(set, mine);
      Object.assign(mine[0] ?? {}, { value: "2" });
      mine.push({ userId: "b", value: "3" });
      const [read] = await scene.store().read(set);
      Object.assign(read ?? {}, { value: "4" });
      expectEqual(await scene.readAll(set), [{ userId: "a", value: "1" }], "the members");
    },
  },
  {
    name: "an append that does not fit rejects with `full` and stores nothing, and the set can still be read",
    needs: ["full", "restart"],
    async play(scene) {
      const [set, more] = [scene.uniqueName("set"), numberedIds(0, MANY_MEMBERS)];
      await scene.append(set, ["a"]);
      await scene.reopenCramped();
      expectEqual(await rejectionCodeOf(scene.append(set, more)), "full", "the code of the rejection");
      expectEqual(await scene.readIds(set), ["a"], "the members after it");
      await scene.crash();
      await scene.append(set, more);
      expectEqual((await scene.readIds(set)).length, MANY_MEMBERS + 1, "how many there are once there is room");
    },
  },
];
