// A deleted user leaves no trace in the file, its log or the files beside it: no byte of the messages about them, nor of the
// answers of receivers, whatever rows the pages have held since. SQLite does not ensure that by default.

import type { DeletionId, DeletionStore, EndpointId, EpochMs, Outcome, Regulation } from "@postrider/core";
import { createSeededRandom } from "@postrider/memory";
import { createSqliteStore } from "@postrider/sqlite";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { changes, CRM, LEASE, later, message, NOW } from "../changes.js";
import { type Database, newFile, openFile, openStore } from "../files.js";

const HOUR_MS = 3_600_000;
const USERS = 60;
/** Lengths up to more than a page has beside other rows, and more than a whole page. */
const LARGEST = 12_000;

type Store = ReturnType<typeof openStore>;

function deletionsOf(store: Store): DeletionStore {
  if (store.deletions === undefined) throw new Error("this store knows nothing of users");
  return store.deletions;
}

/** The places where a text is found: the file, its log, or the log's index. */
function tracesOf(file: string, text: string): readonly string[] {
  return ["", "-wal", "-shm"].filter((ending) => {
    return existsSync(file + ending) && readFileSync(file + ending).includes(text);
  });
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A store in whose file rows of all sizes are added, changed and removed at random, hour by hour. */
function busyStore(database: Database, seed: number) {
  const random = createSeededRandom(seed);
  const store = createSqliteStore({ database });
  let calls = 0;
  let hour = 0;

  function upTo(most: number): number {
    return Math.floor(random.unit() * most);
  }

  function call(now: EpochMs) {
    calls += 1;
    const user = `<user ${String(upTo(USERS))}>`;
    const size = 50 + upTo(random.unit() < 0.1 ? LARGEST : 1_200);
    const body = bytes(JSON.stringify({ said: `body of ${user}`.repeat(1 + size / 20) }));
    const deliveries = [{ destination: CRM, start: { kind: "waiting", dueAt: now } as const }];
    return message(String(calls), { userIds: [user], body: body as never, deliveries });
  }

  function settlement({ id, body }: { readonly id: string; readonly body: Uint8Array }) {
    const user = /<user \d+>/.exec(new TextDecoder().decode(body))?.[0] ?? "";
    const chance = random.unit();
    const dueAt = later((hour + upTo(5)) * HOUR_MS);
    const outcome: Outcome =
      chance < 0.6
        ? { kind: "delivered", detail: "200" }
        : chance < 0.9
          ? { kind: "rescheduled", dueAt, detail: "500" }
          : { kind: "dead", reason: "refused", detail: "404" };
    const excerpt = bytes(`answer of ${user}`.repeat(1 + upTo(200)));
    const endpoints = chance < 0.5 ? [] : [{ endpoint: "https://a.test/" as EndpointId, refused: false, excerpt }];
    return { id: id as never, token: LEASE.token, outcome, attempts: [], endpoints };
  }

  return {
    store,
    now: (): EpochMs => later(hour * HOUR_MS),
    passHour: async (count: number): Promise<void> => {
      hour += 1;
      const now = later(hour * HOUR_MS);
      await store.commit(changes({ accept: Array.from({ length: count }, () => call(now)) }), now);
      const { deliveries } = await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 999 }] }, now);
      await store.commit(changes({ settle: deliveries.map(settlement) }), now);
      const deliveredBefore = later((hour - 7) * HOUR_MS);
      await store.sweep({ deliveredBefore, deadBefore: later((hour - 30) * HOUR_MS), limit: 999 }, now);
    },
  };
}

interface Request {
  readonly id: DeletionId;
  readonly userId: string;
  readonly regulation: Regulation;
}

async function carryOut(store: Store, { id, userId, regulation }: Request, now: EpochMs): Promise<void> {
  const deletions = deletionsOf(store);
  await deletions.open({ id, regulation, userIds: [userId], sources: null }, now);
  for (let slice = 0; slice < 10_000; slice += 1) {
    if ((await deletions.purge({ id, limit: 250 }, now)).isDone) break;
  }
  await store.commit(changes({ notified: [{ deletion: id, users: 1 }] }), now);
  expect(await deletions.finish(id, now)).toBe(true);
}

describe("a user who is deleted", () => {
  it.each([1, 2, 3])("leaves no trace, whatever has moved in the file (seed %i)", async (seed) => {
    const file = newFile();
    const { store, now, passHour } = busyStore(openFile(file), seed);
    for (let hours = 0; hours < 50; hours += 1) await passHour(60);
    const traces: string[] = [];
    for (let user = 0; user < 20; user += 1) {
      const userId = `<user ${String(user)}>`;
      // The data that must be removed must have been there before.
      expect(tracesOf(file, `body of ${userId}`)).not.toEqual([]);
      await carryOut(store, { id: `d-${String(user)}` as DeletionId, userId, regulation: "delete-only" }, now());
      for (const text of [`body of ${userId}`, `answer of ${userId}`, userId]) {
        traces.push(...tracesOf(file, text).map((ending) => `${text} in ${ending}`));
      }
      await passHour(40);
    }
    expect(traces).toEqual([]);
    await store.close();
  });

  it("and suppressed is found once: in the list of suppressed users", async () => {
    const file = newFile();
    const store = openStore(file);
    const accept = Array.from({ length: 50 }, (_, index) => message(String(index), { userIds: ["<ann>"] }));
    await store.commit(changes({ accept }), NOW);
    await carryOut(store, { id: "d" as DeletionId, userId: "<ann>", regulation: "suppress-with-delete" }, NOW);
    const found = ["", "-wal", "-shm"].flatMap((end) =>
      readFileSync(file + end, "latin1")
        .split("<ann>")
        .slice(1),
    );
    expect(found).toHaveLength(1);
    await store.close();
  });

  it("is found nowhere once the delete messages are swept, in a file that stays open", async () => {
    const file = newFile();
    const store = openStore(file);
    const body = bytes("delete <ann>") as never;
    const id = "d" as DeletionId;
    await deletionsOf(store).open({ id, regulation: "delete-only", userIds: ["<ann>"], sources: null }, NOW);
    await deletionsOf(store).purge({ id, limit: 250 }, NOW);
    const notice = message("n", { type: "delete", deletion: id, body });
    await store.commit(changes({ accept: [notice], notified: [{ deletion: id, users: 1 }] }), NOW);
    expect(await deletionsOf(store).finish(id, NOW)).toBe(true);
    const { deliveries } = await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 9 }] }, NOW);
    const outcome = { kind: "delivered", detail: "200" } as const;
    const settle = deliveries.map((one) => ({ ...one, token: LEASE.token, outcome, attempts: [], endpoints: [] }));
    // The first sweep of a store, which has nothing to remove yet.
    expect(await store.sweep({ deliveredBefore: NOW, deadBefore: NOW, limit: 9 }, NOW)).toBe(0);
    await store.commit(changes({ settle }), NOW);
    expect(tracesOf(file, "<ann>")).not.toEqual([]);
    const sweep = { deliveredBefore: later(1), deadBefore: later(1), limit: 9 };
    const other = openFile(file);
    other.exec("begin; select * from message");
    expect(await store.sweep(sweep, later(1))).toBe(1);
    expect(tracesOf(file, "<ann>")).not.toEqual([]);
    other.exec("rollback");
    // Another connection read the log during that sweep; the next sweep empties it.
    expect(await store.sweep(sweep, later(2))).toBe(0);
    expect(tracesOf(file, "<ann>")).toEqual([]);
    other.close();
    await store.close();
  });

  it("has a finished request only once no connection reads the old log", async () => {
    const file = newFile();
    const [store, other] = [openStore(file), openFile(file)];
    const deletions = deletionsOf(store);
    const id = "d" as DeletionId;
    await store.commit(changes({ accept: [message("1", { userIds: ["<ann>"] })] }), NOW);
    await deletions.open({ id, regulation: "suppress-only", userIds: ["<ann>"], sources: null }, NOW);
    other.exec("begin; select * from message");
    await deletions.purge({ id, limit: 250 }, NOW);
    expect(await deletions.finish(id, NOW)).toBe(false);
    expect((await deletions.find(id))?.finishedAt).toBeUndefined();
    other.exec("rollback");
    expect(await deletions.finish(id, NOW)).toBe(true);
    expect(tracesOf(file, '"messageId":"1"')).toEqual([]);
    other.close();
    await store.close();
  });

  it("is gone at whatever point the process died, once another has continued", async () => {
    const file = newFile();
    const first = openStore(file);
    const accept = Array.from({ length: 20 }, (_, index) => {
      const body = bytes(`body of <ann> ${"x".repeat(index * 400)}`) as never;
      return message(String(index), { userIds: ["<ann>"], body });
    });
    await first.commit(changes({ accept }), NOW);
    const id = "d" as DeletionId;
    await deletionsOf(first).open({ id, regulation: "delete-only", userIds: ["<ann>"], sources: null }, NOW);
    // Each step in a separate store; none is closed.
    for (let step = 0; step < 100; step += 1) {
      if ((await deletionsOf(openStore(file)).purge({ id, limit: 3 }, NOW)).isDone) break;
    }
    await openStore(file).commit(changes({ notified: [{ deletion: id, users: 1 }] }), NOW);
    expect(await deletionsOf(openStore(file)).finish(id, NOW)).toBe(true);
    expect(tracesOf(file, "<ann>")).toEqual([]);
    expect(await deletionsOf(openStore(file)).find(id)).toMatchObject({ purged: 20, finishedAt: NOW, userIds: [] });
  });
});
