// Cases of sets of members: they are appended to, read from any position on and by name, and dropped in parts or
// completely, with no other set changed.

import { MAX_CALL_BYTES } from "@postrider/core";
import { expectEqual, expectThat, rejectionCodeOf } from "../check.js";
import { expectEachItself, lookAlikes } from "../look-alikes.js";
import { NASTY_IDS, numberedIds, type AudienceCase } from "./scene.js";

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
      const memberIds = await scene.readIds(set);
      expectEqual(memberIds.length, MANY_MEMBERS + 1, "how many are read");
      expectThat(
        [...userIds, "z"].every((userId, index) => memberIds[index] === userId),
        "they are not those which were appended",
      );
    },
  },
  {
    name: "any text is a user id, and comes back as it was",
    async play(scene) {
      const setName = scene.uniqueName("set");
      await scene.append(setName, NASTY_IDS);
      expectEqual(await scene.readIds(setName), NASTY_IDS, "the ids");
    },
  },
  {
    name: "a value comes back as it was; a member without one has none",
    async play(scene) {
      const setName = scene.uniqueName("set");
      const members = [
        { userId: "a", value: "1" },
        { userId: "b" },
        { userId: "c", value: "null" },
        { userId: "d", value: '{"\\ud800":"\\u0000 \u{1f600}"}' },
        { userId: "e", value: "" },
        { userId: "f", value: JSON.stringify("x".repeat(MAX_CALL_BYTES)) },
      ];
      await scene.store().append(setName, members.slice(0, 2));
      await scene.store().append(setName, members.slice(2));
      expectEqual(await scene.readAll(setName), members, "the members");
    },
  },
  {
    name: "sets with any names are separate",
    async play(scene) {
      const names = lookAlikes().flatMap((text) => [scene.uniqueName(text), `${text}${scene.uniqueName("")}`]);
      for (const [place, name] of names.entries()) await scene.append(name, [String(place)]);
      const foundIds = new Map<string, readonly string[]>();
      for (const name of names)
        foundIds.set(
          name,
          (await scene.readIds(name)).map((place) => names[Number(place)] ?? place),
        );
      expectEachItself(foundIds, "a set");
      for (const name of names) await scene.append(name, ["\uffff"]);
      for (const [place, name] of names.entries())
        expectEqual(await scene.readIds(name), [String(place), "\uffff"], "the members");
    },
  },
  {
    name: "an append of members that do not come after all members of the set is rejected, and the set stays as it was",
    async play(scene) {
      const setName = scene.uniqueName("set");
      await scene.append(setName, ["b", "d"]);
      for (const wrong of [["d"], ["a"], ["c", "e"], ["b", "d"]]) {
        const rejected = await rejectionCodeOf(scene.append(setName, wrong));
        expectThat(rejected !== undefined, `${wrong.join(" and ")} after d: appended`);
      }
      expectEqual(await scene.readIds(setName), ["b", "d"], "the members");
      await scene.append(setName, ["e"]);
      expectEqual(await scene.readIds(setName), ["b", "d", "e"], "the members, and one beyond them");
    },
  },
  {
    name: "members changed by their caller stay as they were stored",
    async play(scene) {
      const setName = scene.uniqueName("set");
      const members = [{ userId: "a", value: "1" }];
      await scene.store().append(setName, members);
      Object.assign(members[0] ?? {}, { value: "2" });
      members.push({ userId: "b", value: "3" });
      const [member] = await scene.store().read(setName);
      Object.assign(member ?? {}, { value: "4" });
      expectEqual(await scene.readAll(setName), [{ userId: "a", value: "1" }], "the members");
    },
  },
  {
    name: "an append that does not fit rejects with `full` and stores nothing, and the set can still be read",
    needs: ["full", "restart"],
    async play(scene) {
      const [set, manyIds] = [scene.uniqueName("set"), numberedIds(0, MANY_MEMBERS)];
      await scene.append(set, ["a"]);
      await scene.reopenCramped();
      expectEqual(await rejectionCodeOf(scene.append(set, manyIds)), "full", "the code of the rejection");
      expectEqual(await scene.readIds(set), ["a"], "the members after it");
      await scene.crash();
      await scene.append(set, manyIds);
      expectEqual((await scene.readIds(set)).length, MANY_MEMBERS + 1, "how many there are once there is room");
    },
  },
];

/** Look-alikes, and pairs of which one is the beginning of the other, or fits its pattern. */
const SET_NAMES: readonly string[] = [
  ...new Set([...lookAlikes(), "b/2", "b/", "b/10", "b/1", "ab", "a?", "a[bc]", "ac", "\ud83d\ude00", "\uffff"]),
];

/** More than a page of names of most stores. */
const MANY_SETS = 300;

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
      const setName = scene.uniqueName("set");
      const members = NASTY_IDS.filter((_, index) => index % 2 === 0);
      await scene.append(setName, members);
      for (const after of NASTY_IDS) {
        const beyond = members.filter((userId) => userId > after);
        expectEqual(await scene.readIds(setName, after), beyond, `what is beyond ${JSON.stringify(after)}`);
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
      const names = SET_NAMES.map((name) => scene.uniqueName(name));
      for (const name of names) await scene.append(name, ["someone"]);
      const inOrder = names.toSorted((first, second) => (first < second ? -1 : 1));
      for (const beginning of ["", "c", "\ud83d", ...SET_NAMES].map((name) => scene.uniqueName(name))) {
        const expected = inOrder.filter((name) => name.startsWith(beginning));
        expectEqual(await scene.store().sets(beginning), expected, `the sets that begin with ${beginning}`);
      }
      const allNames = await scene.store().sets("");
      expectEqual(
        allNames.filter((name) => inOrder.includes(name)),
        inOrder,
        "the sets of this case among all sets",
      );
    },
  },
  {
    name: "all sets are found, however many begin with the same text",
    async play(scene) {
      const names = numberedIds(0, MANY_SETS).map((name) => scene.uniqueName(name));
      for (const name of names) await scene.append(name, ["someone"]);
      expectEqual(await scene.store().sets(scene.uniqueName("")), names, "the sets of this case");
    },
  },
];

export const DROPPING_CASES: readonly AudienceCase[] = [
  {
    name: "a dropped set is gone, and other sets are not",
    async play(scene) {
      const [droppedSet, otherSet] = [scene.uniqueName("set"), scene.uniqueName("set 2")];
      await scene.append(droppedSet, numberedIds(0, MANY_MEMBERS));
      await scene.append(otherSet, ["a"]);
      await scene.drop(droppedSet);
      expectEqual(await scene.store().read(droppedSet), [], "its members");
      expectEqual(await scene.store().sets(scene.uniqueName("")), [otherSet], "the names of sets");
      expectEqual(await scene.readIds(otherSet), ["a"], "the members of the other");
    },
  },
  {
    name: "the rest of a set between two parts of its drop is still in order",
    async play(scene) {
      const [set, userIds] = [scene.uniqueName("set"), numberedIds(0, MANY_MEMBERS)];
      await scene.append(set, userIds);
      const isGone = await scene.store().drop(set);
      const remainingIds = await scene.readIds(set);
      expectEqual(isGone, remainingIds.length === 0, "whether nothing is left");
      expectThat(remainingIds.length < MANY_MEMBERS, "nothing has been dropped");
      expectThat(
        remainingIds.every((userId, index) => index === 0 || userId > (remainingIds[index - 1] ?? "")),
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
      const setName = scene.uniqueName("set");
      await scene.append(setName, ["b", "c"]);
      await scene.drop(setName);
      await scene.append(setName, ["a"]);
      expectEqual(await scene.readIds(setName), ["a"], "the members");
    },
  },
];
