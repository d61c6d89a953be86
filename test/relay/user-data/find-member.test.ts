// One user is found in a set that can be read only in order, whatever the id is made of, without reading the set from its start.

import type { Member } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk } from "@postrider/memory";
import fc from "fast-check";
import { ok } from "neverthrow";
import { expect, it } from "vitest";
import { findMember } from "../../../packages/relay/src/users/user-data.js";
import "../../property.js";

const userIds = fc.oneof(
  fc.string({
    minLength: 1,
    maxLength: 4,
    unit: fc.constantFrom("a", "b", "\u0000", "\ud7ff", "\ue000", "\uffff", "😀"),
  }),
  fc.string({ minLength: 1, maxLength: 6 }),
);

async function setOf(members: readonly Member[]) {
  const store = createMemoryAudienceStore({ disk: createMemoryDisk() });
  await store.append("set", members);
  let reads = 0;
  const ask = async <T>(question: (audiences: typeof store) => Promise<T>) => {
    reads += 1;
    return ok(await question(store));
  };
  return { find: (userId: string) => findMember({ ask }, "set", userId), reads: () => reads };
}

const ascending = (ids: readonly string[]): readonly Member[] =>
  [...new Set(ids)].sort((one, other) => (one < other ? -1 : 1)).map((userId) => ({ userId }));

it("finds each member of a set, and no other user", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(userIds, { minLength: 1, maxLength: 30 }), userIds, async (ids, other) => {
      const { find } = await setOf(ascending(ids));
      for (const userId of [...ids, other]) {
        const member = (await find(userId))._unsafeUnwrap();
        expect(member?.userId).toBe(ids.includes(userId) ? userId : undefined);
      }
    }),
  );
});

it("begins right before the user", async () => {
  const { find, reads } = await setOf(ascending(Array.from({ length: 50_000 }, (_, index) => `user-${String(index)}`)));
  expect((await find("user-31415"))._unsafeUnwrap()).toEqual({ userId: "user-31415" });
  expect(reads()).toBe(1);
});
