// Hooks get notifications of trouble: their contents, times and number, and the fate of one that a hook does not take.

import { createSecret, type NotifyHook, verifySignature } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { SECRET } from "../../canary.js";
import { createMemoryOutbox } from "../outbox/memory-outbox.js";
import {
  type Behaviour,
  createRig,
  destination,
  type Receiver,
  type Rig,
  type RigOptions,
  storeError,
  track,
  url,
} from "../rig.js";

const MINUTE = 60_000;
/** Longer than from one look to the next, with an answer. */
const LOOK = 5_100;
const DEAD: Behaviour = { status: 422 };

interface Told {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly places: readonly {
    readonly destination?: string;
    readonly count: number;
    readonly details: readonly string[];
  }[];
  readonly more: number;
  readonly leftOut: number;
}

function hook(name: string, changes: Partial<NotifyHook> = {}): NotifyHook {
  return { url: url(name), headers: [], secrets: [createSecret(SECRET)], ...changes };
}

function withHook(receivers: RigOptions["receivers"], options: RigOptions = {}): Rig {
  return createRig({
    notify: [hook("pager")],
    destinations: [destination("crm", ["a"])],
    ...options,
    receivers: { pager: { status: 200 }, ...receivers },
  });
}

/** The notifications sent to a hook, one for each attempt. */
function sentTo(rig: Rig, name = "pager"): readonly Told[] {
  return rig.seen.filter((one) => one.url === url(name)).map(({ body }) => JSON.parse(body) as Told);
}

/** Kind, destinations and count of each. */
function inShort(all: readonly Told[]): readonly string[] {
  return all.map(({ kind, places }) => {
    const where = places.map((place) => `${place.destination ?? "-"} ${String(place.count)}`);
    return `${kind}: ${where.join(", ")}`;
  });
}

async function send(rig: Rig, calls: number): Promise<void> {
  for (let nth = 0; nth < calls; nth += 1) await rig.accept(track());
}

describe("a hook is told", () => {
  it("of deliveries that die: at once, and later of all that died meanwhile", async () => {
    const rig = withHook({ a: DEAD });
    await send(rig, 1);
    await rig.advance(LOOK);
    expect(inShort(sentTo(rig))).toEqual(["deaths: crm 1"]);
    await send(rig, 3);
    await rig.advance(14 * MINUTE);
    expect(sentTo(rig)).toHaveLength(1);
    await rig.advance(MINUTE + LOOK);
    expect(inShort(sentTo(rig))).toEqual(["deaths: crm 1", "deaths: crm 3"]);
    expect(sentTo(rig)[1]).toMatchObject({
      text: expect.stringContaining("3 deliveries have ended without success (refused)") as string,
    });
  });

  it("by a request that is signed as deliveries are, with the headers of the hook and of Standard Webhooks", async () => {
    const notify = [hook("pager", { headers: [["X-Room", "ops"]], standardWebhooks: true })];
    const rig = withHook({ a: DEAD }, { notify });
    await send(rig, 1);
    await rig.advance(LOOK);
    const [request] = rig.seen.filter((one) => one.url === url("pager"));
    const { headers, body } = request!;
    expect(verifySignature(SECRET, body, headers.get("X-Signature"))).toBe(true);
    expect(headers.get("X-Room")).toBe("ops");
    expect(headers.get("webhook-id")).toBe((JSON.parse(body) as Told).id);
    expect(headers.get("webhook-signature")).toMatch(/^v1,/);
  });

  it("first that a destination fails, then that it is held, and that it is open again", async () => {
    let isWell = false;
    const rig = withHook({ a: (): Behaviour => ({ status: isWell ? 200 : 503 }) });
    await send(rig, 30);
    await rig.advance(LOOK);
    expect(inShort(sentTo(rig))).toEqual(["lane-failing: crm 1"]);
    await send(rig, 40);
    await rig.advance(LOOK);
    expect(inShort(sentTo(rig))).toEqual(["lane-failing: crm 1", "lane-held: crm 1"]);
    expect(sentTo(rig)[1]?.places).toEqual([
      expect.objectContaining({
        details: ["503"],
        lane: expect.objectContaining({ mode: "held", waiting: 70 }) as unknown,
      }),
    ]);
    isWell = true;
    await rig.advance(2 * MINUTE);
    expect(inShort(sentTo(rig)).slice(2)).toEqual(["lane-open: crm 1"]);
    await rig.advance(30 * MINUTE);
    expect(sentTo(rig)).toHaveLength(3);
    isWell = false;
    await send(rig, 70);
    await rig.advance(LOOK);
    expect(inShort(sentTo(rig)).slice(3)).toEqual(["lane-held: crm 1"]);
  });

  it("of a destination that refuses its first message, with the answer, and then that it refuses all", async () => {
    const rig = withHook({ a: { status: 401 } });
    await send(rig, 1);
    await rig.advance(LOOK);
    expect(inShort(sentTo(rig))).toEqual(["lane-failing: crm 1"]);
    expect(sentTo(rig)[0]).toMatchObject({ places: [{ details: ["401"], lane: { mode: "open", waiting: 1 } }] });
    for (let nth = 0; nth < 3; nth += 1) {
      await send(rig, 1);
      await rig.advance(1_000);
    }
    await rig.advance(LOOK);
    expect(inShort(sentTo(rig)).slice(1)).toEqual(["lane-held: crm 1"]);
    expect(sentTo(rig)[1]).toMatchObject({ places: [{ details: ["401"], lane: { mode: "refusing" } }] });
  });

  it("once in an hour that a destination is still held, and of deliveries that are about to expire", async () => {
    const rig = withHook({ a: { status: 503 } });
    await send(rig, 70);
    await rig.advance(3.5 * 60 * MINUTE);
    const summaries = inShort(sentTo(rig));
    expect(summaries.filter((one) => one.startsWith("lane-held"))).toHaveLength(4);
    expect(summaries.filter((one) => one.startsWith("window-at-risk"))).toEqual(["window-at-risk: crm 1"]);
    await rig.advance(60 * MINUTE);
    const deaths = sentTo(rig).filter(({ kind }) => kind === "deaths");
    const dead = deaths.flatMap(({ places }) => places.map(({ count }) => count)).reduce((sum, one) => sum + one, 0);
    expect(dead).toBe(70);
  });

  it("of many destinations at once in one notification, which names ten of them", async () => {
    const ids = Array.from({ length: 13 }, (_, nth) => `d${String(nth)}`);
    const rig = withHook({ a: DEAD }, { destinations: ids.map((id) => destination(id, ["a"])) });
    await send(rig, 1);
    await rig.advance(LOOK);
    expect(sentTo(rig)).toHaveLength(1);
    expect(sentTo(rig)[0]).toMatchObject({ kind: "deaths", more: 3 });
    expect(sentTo(rig)[0]?.places).toHaveLength(10);
  });

  it("of calls that were turned away, and of a store that fails", async () => {
    const rig = withHook(
      {},
      {
        wrapStore: (store) => ({ ...store, commit: () => Promise.reject(storeError("full")) }),
      },
    );
    const receipts = await rig.accept(track(), track());
    expect(receipts.map(({ kind }) => kind)).toEqual(["shed", "shed"]);
    await rig.advance(LOOK);
    expect(inShort(sentTo(rig)).toSorted()).toEqual(["shedding: - 2", "store: - 1"]);
    expect(sentTo(rig).find(({ kind }) => kind === "shedding")?.places[0]?.details).toEqual(["website"]);
  });

  it("of a store that hangs, although the look would ask it, too", async () => {
    const hang = (): Promise<never> => new Promise<never>(() => undefined);
    const rig = withHook(
      {},
      {
        wrapStore: (store) => ({
          ...store,
          lanes: hang,
          ...(store.deletions === undefined ? {} : { deletions: { ...store.deletions, list: hang } }),
        }),
      },
    );
    await rig.advance(MINUTE);
    expect(inShort(sentTo(rig))).toEqual(["store: - 1"]);
    expect(sentTo(rig)[0]?.places[0]?.details).toEqual(["stalled"]);
  });

  it("of calls in the outbox whose source the settings do not have, with its name", async () => {
    const outbox = createMemoryOutbox();
    const rig = withHook({}, { wrapStore: (store) => ({ ...store, outbox: outbox.outbox }) });
    outbox.put("shop", track(), track());
    await rig.advance(MINUTE);
    expect(inShort(sentTo(rig))).toEqual(["outbox: - 2"]);
    expect(sentTo(rig)[0]?.places[0]?.details).toEqual(["shop"]);
  });

  it("of a request about users that is unfinished for more than an hour", async () => {
    const rig = withHook(
      {},
      {
        wrapStore: (store) => ({
          ...store,
          ...(store.deletions === undefined
            ? {}
            : { deletions: { ...store.deletions, finish: () => Promise.resolve(false) } }),
        }),
      },
    );
    await rig.answer(rig.relay().requestDeletion({ userIds: ["u1"], regulation: "delete-only" }));
    await rig.advance(59 * MINUTE);
    expect(sentTo(rig)).toEqual([]);
    await rig.advance(3 * MINUTE);
    expect(inShort(sentTo(rig))).toEqual(["deletion-late: - 1"]);
  });

  it("only of the kinds that it wants", async () => {
    const notify = [hook("pager", { on: ["lane-held"] }), hook("chat", { on: ["deaths", "store"] })];
    const rig = withHook({ a: DEAD, chat: { status: 204 } }, { notify });
    await send(rig, 1);
    await rig.advance(LOOK);
    expect(sentTo(rig)).toEqual([]);
    expect(inShort(sentTo(rig, "chat"))).toEqual(["deaths: crm 1"]);
  });

  it("nothing of a delivery that a request about users has purged", async () => {
    const rig = withHook({ a: { status: 503 } });
    await send(rig, 1);
    await rig.answer(rig.relay().requestDeletion({ userIds: ["u1"], regulation: "delete-only" }));
    await rig.advance(MINUTE);
    expect((await rig.all()).filter(({ reason }) => reason === "purged")).toHaveLength(1);
    expect(sentTo(rig)).toEqual([]);
  });
});

describe("a notification that a hook does not take", () => {
  it("is sent again, the same, until the hook takes it", async () => {
    const pager: Receiver = ({ nth }) => ({ status: nth <= 2 ? 503 : 200 });
    const rig = withHook({ a: DEAD, pager });
    await send(rig, 1);
    await rig.advance(2 * MINUTE);
    expect(sentTo(rig)).toHaveLength(3);
    expect(new Set(sentTo(rig).map(({ id }) => id)).size).toBe(1);
    expect(rig.events.filter(({ kind }) => kind.startsWith("notification"))).toEqual([
      expect.objectContaining({ kind: "notification-sent", hook: 0, notification: "deaths" }),
    ]);
  });

  it("is given up at once if the hook refuses it, which the log tells", async () => {
    const rig = withHook({ a: DEAD, pager: { status: 404 } });
    await send(rig, 1);
    await rig.advance(10 * MINUTE);
    expect(sentTo(rig)).toHaveLength(1);
    expect(rig.logged.filter(([, { code }]) => code === "notification-failed")).toEqual([
      ["warning", { code: "notification-failed", detail: "notify[0] deaths: 404" }],
    ]);
  });

  it("is given up after an hour, and does not hold up another hook", async () => {
    const notify = [hook("pager"), hook("chat")];
    const rig = withHook({ a: DEAD, pager: "silent", chat: { status: 200 } }, { notify });
    await send(rig, 1);
    await rig.advance(LOOK);
    expect(sentTo(rig, "chat")).toHaveLength(1);
    await rig.advance(70 * MINUTE);
    expect(rig.logged.map(([, { detail }]) => detail)).toContain("notify[0] deaths: timeout");
    expect(rig.events.filter(({ kind }) => kind === "notification-failed")).toHaveLength(1);
  });

  it("waits as long as the hook asks by Retry-After", async () => {
    const pager: Receiver = ({ nth }) => (nth === 1 ? { status: 429, retryAfter: "120" } : { status: 200 });
    const rig = withHook({ a: DEAD, pager });
    await send(rig, 1);
    await rig.advance(LOOK + 2 * MINUTE);
    expect(sentTo(rig)).toHaveLength(1);
    await rig.advance(MINUTE);
    expect(sentTo(rig)).toHaveLength(2);
  });

  it("takes no further place once a hundred wait; those left out are counted in the next one", async () => {
    const ids = Array.from({ length: 130 }, (_, nth) => `d${String(nth)}`);
    let isWell = false;
    const pager = (): Behaviour => (isWell ? { status: 200 } : { status: 503, retryAfter: "300" });
    const rig = withHook(
      { a: DEAD, pager },
      { sources: [], destinations: ids.map((id) => destination(id, ["a"], { enabled: false })) },
    );
    // One destination after the other, so that each makes a notification.
    for (const id of ids) {
      rig
        .relay()
        .configure({ ...rig.workspace(ids.map((one) => destination(one, ["a"], { enabled: one === id }))) })
        ._unsafeUnwrap();
      await send(rig, 1);
      await rig.advance(LOOK);
    }
    isWell = true;
    await rig.advance(10 * MINUTE);
    const sentEvents = rig.events.filter(({ kind }) => kind === "notification-sent");
    expect(sentEvents).toHaveLength(100);
    await rig.advance(10 * MINUTE);
    await send(rig, 1);
    await rig.advance(LOOK);
    expect(sentTo(rig).at(-1)?.leftOut).toBe(30);
  });
});

describe("without hooks", () => {
  it("nothing is sent, and nothing is counted", async () => {
    const rig = withHook({ a: DEAD }, { notify: [] });
    await send(rig, 5);
    await rig.advance(60 * MINUTE);
    expect(sentTo(rig)).toEqual([]);
  });

  it("a hook that comes with new settings is told of what happens from then on", async () => {
    const rig = createRig({
      receivers: { a: DEAD, pager: { status: 200 } },
      destinations: [destination("crm", ["a"])],
    });
    await send(rig, 1);
    await rig.advance(MINUTE);
    const settings = rig.relay().workspace();
    rig
      .relay()
      .configure({ ...settings, notify: [hook("pager")] })
      ._unsafeUnwrap();
    await send(rig, 2);
    await rig.advance(LOOK);
    expect(inShort(sentTo(rig))).toEqual(["deaths: crm 2"]);
    rig.relay().configure(settings)._unsafeUnwrap();
    await send(rig, 3);
    await rig.advance(60 * MINUTE);
    expect(sentTo(rig)).toHaveLength(1);
  });

  it("a hook that was removed gets nothing of what waited for it, also if it comes back", async () => {
    let isWell = false;
    const rig = withHook({ a: DEAD, pager: (): Behaviour => ({ status: isWell ? 200 : 503 }) });
    await send(rig, 1);
    await rig.advance(LOOK);
    const settings = rig.relay().workspace();
    const { notify, ...without } = settings;
    expect(notify).toHaveLength(1);
    rig.relay().configure(without)._unsafeUnwrap();
    isWell = true;
    const before = sentTo(rig).length;
    await rig.advance(10 * MINUTE);
    rig.relay().configure(settings)._unsafeUnwrap();
    await send(rig, 2);
    await rig.advance(10 * MINUTE);
    expect(inShort(sentTo(rig)).slice(before)).toEqual(["deaths: crm 2"]);
  });

  it("a destination that the settings do not have any more is not said to be at risk", async () => {
    const rig = withHook({ a: { status: 503 } });
    await send(rig, 1);
    await rig.advance(MINUTE);
    rig
      .relay()
      .configure({ ...rig.workspace([destination("other", ["a"])]), notify: [hook("pager")] })
      ._unsafeUnwrap();
    await rig.advance(3.5 * 60 * MINUTE);
    expect(sentTo(rig).filter(({ kind }) => kind === "window-at-risk")).toEqual([]);
  });
});
