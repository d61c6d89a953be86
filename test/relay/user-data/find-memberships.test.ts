// All audiences are looked through for a user, several for each question for the list of all.

import { expect, it } from "vitest";
import type { UserDataCursor, UserDataPage } from "@postrider/relay";
import { type AudienceRig, createAudienceRig } from "../audience-rig.js";

const AUDIENCES = 45;
const names = Array.from({ length: AUDIENCES }, (_, index) => `a${String(index).padStart(2, "0")}`);

/** Of the audiences at these places, and of no other one, `u1` is a member. */
async function world(places: readonly number[]) {
  const requests: string[] = [];
  const rig = createAudienceRig({ onAsk: (what) => requests.push(what) });
  for (const name of names) await rig.create({ name });
  for (const place of places) await rig.sync(["u1", "u2"], { key: names[place]! });
  requests.length = 0;
  return { rig, asked: requests };
}

async function keysFrom(rig: AudienceRig, start: UserDataCursor) {
  const keys: string[] = [];
  const cursors: string[] = [];
  let after: UserDataCursor | undefined = start;
  while (after?.part === "memberships") {
    const page: UserDataPage = (await rig.relay().userData({ userId: "u1", after }))._unsafeUnwrap();
    keys.push(...page.data.flatMap((datum) => (datum.kind === "membership" ? [datum.audience.key] : [])));
    after = page.next;
    if (after?.part === "memberships") cursors.push(after.after ?? "");
  }
  return { keys, cursors, ended: after };
}

it("finds each membership once, in the order of the keys, and lists all audiences once for twenty", async () => {
  const places = [0, 18, 19, 20, 39, 40, 44];
  const { rig, asked } = await world(places);
  const { keys, cursors, ended } = await keysFrom(rig, { part: "memberships" });
  expect(keys).toEqual(places.map((place) => names[place]));
  expect([cursors, ended]).toEqual([[names[19], names[39]], { part: "deliveries" }]);
  const times = (what: string): number => asked.filter((one) => one === what).length;
  expect([times("list"), times("sets")]).toEqual([3, AUDIENCES]);
});

it("goes on after any audience, also one that is not there", async () => {
  const { rig } = await world([3, 4, 5]);
  expect((await keysFrom(rig, { part: "memberships", after: names[3]! })).keys).toEqual([names[4], names[5]]);
  expect((await keysFrom(rig, { part: "memberships", after: "a04x" })).keys).toEqual([names[5]]);
  expect((await keysFrom(rig, { part: "memberships", after: names.at(-1)! })).keys).toEqual([]);
});
