// Audiences in files of every version that kept them in other tables keep their state: a sync that was being sent is sent to
// its end, a sync that was collecting is dropped, the next sync compares with the last, and a user who is deleted afterwards
// is in no page of the file.

import { createSqliteAudienceStore } from "@postrider/sqlite";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type AudienceRig, createAudienceRig, crm, mail, SILENCE_MS } from "../../relay/audience-rig.js";
import {
  audienceFile,
  FIRST_WITH_AUDIENCES,
  FIRST_WITH_FULL_PAGES,
  type OldAudience,
  oldRecord,
} from "./audience-file.js";
import { openFile, openStore } from "../files.js";

const VERSIONS = Array.from(
  { length: FIRST_WITH_FULL_PAGES - FIRST_WITH_AUDIENCES },
  (_, nth) => FIRST_WITH_AUDIENCES + nth,
);
const DEAD = { owner: "dead", aliveAt: 0 };
const COUNTS = { entered: 10, departed: 10, changed: 0 };

/** `u05` to `u09`. */
function users(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, nth) => `<u${String(from + nth).padStart(2, "0")}>`);
}

function whole(destination: string, sync: number, set: string) {
  return { destination, sync, parts: [{ set, upTo: null }] };
}

/** The crm was told all of its third sync, mail up to u14; a set of the first sync was not removed. */
const VIP: OldAudience = {
  record: oldRecord("vip", {
    ...{ revision: 9, syncs: 3, last: { sync: 2, members: 30, ...COUNTS, endedAt: 2 } },
    running: { kind: "sending", ...DEAD, set: "audience/vip/3/run-2", members: 30, left: ["mail"], ...COUNTS },
    told: [
      whole("crm", 3, "audience/vip/3/run-2"),
      {
        ...{ destination: "mail", sync: 2 },
        parts: [
          { set: "audience/vip/3/run-2", upTo: "<u14>" },
          { set: "audience/vip/2/run-0", upTo: null },
        ],
      },
    ],
  }),
  sets: {
    "audience/vip/1/run-7": users(0, 3).map((userId) => [userId]),
    "audience/vip/2/run-0": users(0, 29).map((userId) => [userId]),
    "audience/vip/3/run-2": users(10, 39).map((userId) => [userId]),
  },
};

/** Without a sync. Some users in its last page but one have no value. */
const WORTH: OldAudience = {
  record: oldRecord("worth", {
    ...{ kind: "trait", revision: 5, syncs: 1, last: { sync: 1, members: 25, ...COUNTS, endedAt: 2 } },
    told: [whole("crm", 1, "audience/worth/1/run-0"), whole("mail", 1, "audience/worth/1/run-0")],
  }),
  sets: { "audience/worth/1/run-0": users(10, 34).map((userId, nth) => [userId, JSON.stringify({ nth, of: userId })]) },
};

/** Its process died while members were collected. */
const NEWS: OldAudience = {
  record: oldRecord("news", { revision: 2, syncs: 1, running: { kind: "collecting", ...DEAD } }),
  sets: { "audience/news/1/run-0": users(20, 22).map((userId) => [userId]) },
};

const NEW: OldAudience = { record: oldRecord("new", {}), sets: {} };

const ALL = [VIP, WORTH, NEWS, NEW];

function lines(to: string, userIds: readonly string[], told: string): readonly string[] {
  return userIds.map((userId) => `${to} ${userId} ${told}`);
}

function both(userIds: readonly string[], told: string): readonly string[] {
  return [...lines("crm", userIds, told), ...lines("mail", userIds, told)];
}

function openRig(file: string): AudienceRig {
  const openStores = () => ({
    deliveries: openStore(file),
    audiences: createSqliteAudienceStore({ database: openFile(file), isChecked: true }),
  });
  return createAudienceRig({ destinations: [crm(), mail()], openStores });
}

/** The given users that are found in the file, its log or the log's index, as text or as a key. */
function tracesOf(file: string, userIds: readonly string[]): readonly string[] {
  const bytes = ["", "-wal", "-shm"].filter((end) => existsSync(file + end)).map((end) => readFileSync(file + end));
  const key = (userId: string): Buffer => Buffer.from(userId, "utf16le").swap16();
  return userIds.filter((userId) => bytes.some((one) => one.includes(userId) || one.includes(key(userId))));
}

async function erase(rig: AudienceRig, userIds: readonly string[]): Promise<void> {
  const asked = rig.relay().requestDeletion({ userIds, regulation: "delete-only" });
  const id = (await rig.settle(asked, 12_000))._unsafeUnwrap();
  expect(await rig.deliveries.deletions?.find(id)).toHaveProperty("finishedAt", expect.any(Number));
}

describe.each(VERSIONS)("a file of version %i with audiences", (version) => {
  it("is told, synced, erased and swept", async () => {
    const file = await audienceFile(version, ALL);
    const rig = openRig(file);
    await rig.clock.advance(SILENCE_MS);
    expect(rig.heard()).toEqual(lines("mail", users(30, 39), "true"));
    expect(await rig.record("vip")).toMatchObject({ running: null, last: { sync: 3, members: 30, ...COUNTS } });
    expect(await rig.record("news")).toMatchObject({ running: null, last: null });
    expect(await rig.audiences.sets("")).toEqual(["audience/vip/3/run-2", "audience/worth/1/run-0"]);

    const next = await rig.sync([...users(11, 39), "<v>"]);
    expect(next).toMatchObject({ sync: 4, members: 30, entered: 1, departed: 1 });
    await rig.sync(
      users(10, 34).map((userId, nth) => ({
        userId,
        value: JSON.stringify({ nth: nth === 3 ? 99 : nth, of: userId }),
      })),
      { key: "worth" },
    );
    await rig.sync(["<v>"], { key: "news" });
    await rig.clock.advance(1_000);
    const changed = { nth: 99, of: "<u13>" };
    expect(rig.heard()).toEqual(
      [
        ...[...both(["<u10>"], "false"), ...both(["<v>"], "true"), ...both(["<v>"], "true")],
        ...both(["<u13>"], JSON.stringify(changed)),
      ].toSorted(),
    );

    // The first and the last of a set, the last of an old page, and one from the middle of that page.
    const gone = ["<u11>", "<u19>", "<u25>", "<u34>", "<v>"];
    expect(tracesOf(file, gone)).toEqual(gone);
    await erase(rig, gone);
    expect(rig.heard()).toEqual(both(gone, "undefined").toSorted());
    expect(await rig.sync(users(12, 39).filter((userId) => !gone.includes(userId)))).toMatchObject({
      ...{ members: 25, entered: 0, departed: 0 },
    });
    expect(rig.heard()).toEqual([]);
    const all = Number.MAX_SAFE_INTEGER as never;
    await rig.deliveries.sweep({ deliveredBefore: all, deadBefore: all, limit: 10_000 }, all);
    expect(tracesOf(file, gone)).toEqual([]);
    expect(tracesOf(file, ["<u12>"])).toEqual(["<u12>"]);
  });
});
