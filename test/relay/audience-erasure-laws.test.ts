// The law of erasure over long random runs: random uploads, some of them slow, requests, destinations that are off for a
// while, and crashes. In each run, no message names a user after that user's delete message, unless an upload that began
// after the request names the user; destinations know in the end who is a member; and nothing is left of users who are not.

import type { AudienceStore } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AudienceRig, CRM, createAudienceRig, crm, MAIL, mail, recordsIn, SILENCE_MS } from "./audience-rig.js";
import "../property.js";

const USERS = ["ann", "bob", "cay", "dan", "eve", "fay"];
const SMALL = { chunkMembers: 2, runChunks: 2, appendMembers: 2, mergeRuns: 2, stepChanges: 2, laneDeliveries: 4 };

type Step =
  | { readonly kind: "upload"; readonly users: readonly string[]; readonly pauseMs: number }
  | { readonly kind: "erase"; readonly users: readonly string[]; readonly regulation: "delete-only" | "suppress-only" }
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "switch"; readonly isOn: boolean }
  | { readonly kind: "crash" };

const someUsers = fc.shuffledSubarray(USERS);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("upload" as const),
      users: someUsers,
      pauseMs: fc.constantFrom(0, 0, 50, 3_000, 20_000),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("erase" as const),
      users: fc.shuffledSubarray(USERS, { minLength: 1, maxLength: 3 }),
      regulation: fc.constant("delete-only" as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom(0, 1, 5, 30, 400, 6_000, 60_000).map((ms) => ({ kind: "advance" as const, ms })),
  },
  { weight: 1, arbitrary: fc.boolean().map((isOn) => ({ kind: "switch" as const, isOn })) },
  { weight: 1, arbitrary: fc.constant({ kind: "crash" as const }) },
);

/** The actions of the host, in their order. An upload that was refused at its call names no users. */
interface Deed {
  readonly kind: "upload" | "erase";
  users: readonly string[];
}

function play(rig: AudienceRig, deeds: Deed[], one: Step): Promise<void> | void {
  switch (one.kind) {
    case "upload": {
      // An upload begins at its call, however late its first member is asked for.
      const deed: Deed = { kind: "upload", users: [] };
      deeds.push(deed);
      void rig.relay().syncAudience(
        "vip",
        slowly(rig, one, () => (deed.users = one.users)),
      );
      return;
    }
    case "erase":
      deeds.push(one);
      void rig.relay().requestDeletion({ userIds: one.users, regulation: one.regulation });
      return;
    case "advance":
      return rig.clock.advance(one.ms);
    case "switch":
      rig.configure(crm(), mail({ enabled: one.isOn }));
      return;
    case "crash":
      rig.crash();
      rig.restart();
  }
}

/** Half of them at once, the others after a while. */
async function* slowly(
  rig: AudienceRig,
  { users, pauseMs }: Extract<Step, { kind: "upload" }>,
  begin: () => unknown,
): AsyncGenerator<string> {
  begin();
  const half = users.length >> 1;
  yield* users.slice(0, half);
  await new Promise<void>((resolve) => {
    rig.clock.after(pauseMs, resolve);
  });
  yield* users.slice(half);
}

interface Told {
  readonly kind: "delete" | "change";
  readonly destination: string;
  readonly userId: string;
  readonly isMember: boolean;
}

/** The messages stored for each destination, in the order of storing. */
async function storedChanges(rig: AudienceRig): Promise<readonly Told[]> {
  const { deliveries } = await rig.deliveries.list({ limit: 10_000 });
  const records = await Promise.all(deliveries.map(({ id }) => rig.deliveries.find(id)));
  return records.toReversed().flatMap((delivery): readonly Told[] => {
    if (delivery?.body === undefined) return [];
    const { type, userId, traits } = JSON.parse(new TextDecoder().decode(delivery.body)) as Message;
    const kind = type === "delete" ? "delete" : "change";
    return [{ kind, destination: delivery.destination, userId, isMember: traits?.["vip"] === true }];
  });
}

interface Message {
  readonly type: string;
  readonly userId: string;
  readonly traits?: Readonly<Record<string, unknown>>;
}

/** Users that a message names after their delete message, although no upload has named them since the request. */
function broken(told: readonly Told[], deeds: readonly Deed[]): readonly string[] {
  return USERS.flatMap((userId) => {
    const notices = told.filter(
      (one) => one.kind === "delete" && one.userId === userId && one.destination === CRM,
    ).length;
    return [CRM, MAIL].flatMap((destination) => {
      const own = told.filter((one) => one.userId === userId && one.destination === destination);
      const requests = deeds.flatMap((deed, at) => (deed.kind === "erase" && deed.users.includes(userId) ? [at] : []));
      return requests.slice(0, notices).flatMap((request, nth) => {
        const notice = own.findIndex((one, at) => one.kind === "delete" && countDeletes(own.slice(0, at)) === nth);
        const isNamed = notice !== -1 && own.slice(notice).some(({ kind }) => kind === "change");
        const mayBe = deeds.slice(request).some((deed) => deed.kind === "upload" && deed.users.includes(userId));
        return isNamed && !mayBe ? [`${destination} ${userId}`] : [];
      });
    });
  });
}

function countDeletes(told: readonly Told[]): number {
  return told.filter(({ kind }) => kind === "delete").length;
}

/** The members at a destination, by all changes that it got. */
function knownAt(destination: string, told: readonly Told[]): readonly string[] {
  const members = new Set<string>();
  for (const change of told.filter((each) => each.destination === destination)) {
    if (change.isMember) members.add(change.userId);
    else members.delete(change.userId);
  }
  return [...members].toSorted();
}

async function everything(store: AudienceStore): Promise<string> {
  const sets = await store.sets("");
  const members = await Promise.all(sets.map((set) => store.read(set)));
  return JSON.stringify([await recordsIn(store), members]);
}

describe("erasure", () => {
  it("holds over all random runs", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 16 }), someUsers, async (steps, last) => {
        const rig = createAudienceRig({ destinations: [crm(), mail()], relay: { syncBounds: SMALL } });
        await rig.create({ destinations: [CRM, MAIL] });
        const deeds: Deed[] = [];
        for (const step of steps) await play(rig, deeds, step);
        rig.configure(crm(), mail());
        await rig.clock.advance(2 * SILENCE_MS + 30_000);

        deeds.push({ kind: "upload", users: last });
        await rig.sync(last);
        await rig.clock.advance(SILENCE_MS);
        const changes = await storedChanges(rig);
        expect(broken(changes, deeds)).toEqual([]);
        for (const destination of [CRM, MAIL]) expect(knownAt(destination, changes)).toEqual(last.toSorted());
        const unfinished = await rig.deliveries.deletions?.list({ unfinished: true, limit: 100 });
        expect(unfinished?.deletions).toEqual([]);
        const storedText = await everything(rig.audiences);
        expect(USERS.filter((userId) => storedText.includes(`"${userId}"`) && !last.includes(userId))).toEqual([]);
      }),
    );
  });
});
