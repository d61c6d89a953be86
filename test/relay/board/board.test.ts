// Several relays on a store with a board: what a receiver gets of all of them is what it would get of one.

import { createSecret, type DeliveryStore } from "@postrider/core";
import type { Relay } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { SECRET } from "../../canary.js";
import {
  createRig,
  destination,
  type Receiver,
  type Rig,
  type RigOptions,
  storeError,
  track,
  url,
  WEBSITE,
} from "../rig.js";

const MINUTE = 60_000;

/** Two relays that have been alive for five seconds. */
async function createPair(options: RigOptions): Promise<{ readonly rig: Rig; readonly relays: readonly Relay[] }> {
  const rig = createRig({ ...options, hasBoard: true });
  const relays = [rig.relay(), rig.join()];
  await rig.advance(5_000);
  return { rig, relays };
}

/** Each relay gets as many calls. */
async function send(rig: Rig, relays: readonly Relay[], count: number): Promise<void> {
  for (const relay of relays) {
    await rig.answer(relay.accept({ source: WEBSITE, calls: Array.from({ length: count }, () => track()) }));
  }
}

describe("two relays on a store with a board", () => {
  it("send together what a rate allows, and all of it", async () => {
    const rateLimit = { perSecond: 100, burst: 10 };
    const { rig, relays } = await createPair({ destinations: [destination("crm", ["a"], { rateLimit })] });
    const from = rig.clock.wall();
    await send(rig, relays, 1_000);
    await rig.advance(10_000);
    const got = rig.seen.filter(({ at }) => at >= from + 1_000).length;
    const lastedS = (rig.clock.wall() - from - 1_000) / 1_000;
    expect(got / lastedS).toBeGreaterThan(95);
    expect(got / lastedS).toBeLessThan(105);
  });

  it("have together as much under way as one", async () => {
    const { rig, relays } = await createPair({ receivers: { a: "silent" } });
    await send(rig, relays, 100);
    await rig.advance(1_000);
    expect(rig.seen).toHaveLength(32);
  });

  it("send one probe at a time to a receiver that fails, and one of both finds that it answers again", async () => {
    const { rig, relays } = await createPair({ receivers: { a: failingUntil(10 * MINUTE) } });
    await send(rig, relays, 200);
    await rig.advance(2 * MINUTE);
    expect(relays.map((relay) => relay.lanes()[0]?.mode)).toEqual(["held", "held"]);
    const before = rig.seen.length;
    await rig.advance(5 * MINUTE);
    const probes = rig.seen.slice(before).map(({ at }) => at);
    expect(probes.length).toBeGreaterThan(3);
    for (const [place, at] of probes.entries())
      if (place > 0) expect(at - (probes[place - 1] ?? 0)).toBeGreaterThan(30_000);
    await rig.advance(5 * MINUTE);
    expect(relays.map((relay) => relay.lanes()[0]?.mode)).toEqual(["open", "open"]);
  });

  it("leave an endpoint alone for as long as it has asked one of them, also after a crash of both", async () => {
    const asking: Receiver = ({ nth }) => (nth === 1 ? { status: 503, retryAfter: "60" } : { status: 200 });
    const { rig, relays } = await createPair({ receivers: { a: asking } });
    await send(rig, relays.slice(0, 1), 1);
    await rig.advance(1_500);
    const heardAt = rig.seen[0]?.at ?? 0;
    await send(rig, relays.slice(1), 1);
    await rig.advance(5_000);
    rig.crash();
    rig.restart();
    await rig.accept(track());
    await rig.advance(3 * MINUTE);
    expect(rig.seen).toHaveLength(4);
    expect((rig.seen[1]?.at ?? 0) - heardAt).toBeGreaterThanOrEqual(60_000);
  });

  it("have all for the one that is left, as soon as the other has stopped", async () => {
    const { rig, relays } = await createPair({ receivers: { a: "silent" } });
    void relays[1]?.stop();
    await rig.advance(2_000);
    await send(rig, relays.slice(0, 1), 100);
    await rig.advance(100);
    expect(rig.seen).toHaveLength(32);
  });

  it("go on by what they know if the board fails", async () => {
    let isBroken = false;
    const failing = (store: DeliveryStore): DeliveryStore => {
      const { board } = store;
      if (board === undefined) return store;
      const orFail = <T>(work: () => Promise<T>) => (isBroken ? Promise.reject(storeError("unavailable")) : work());
      return {
        ...store,
        board: {
          beat: (request, now) => orFail(() => board.beat(request, now)),
          write: (rows) => orFail(() => board.write(rows)),
          leave: (process) => orFail(() => board.leave(process)),
        },
      };
    };
    const { rig, relays } = await createPair({ wrapStore: failing });
    isBroken = true;
    await rig.advance(20_000);
    await send(rig, relays, 100);
    await rig.advance(5_000);
    expect(rig.seen).toHaveLength(200);
  });

  it("sweep the store as often as one, also after the one that did has died", async () => {
    const swept: number[] = [];
    const { rig } = await createPair({
      wrapStore: (store, clock) => ({
        ...store,
        sweep: (...request) => {
          swept.push(clock.wall());
          return store.sweep(...request);
        },
      }),
    });
    await rig.advance(10 * MINUTE);
    expect(swept.length).toBeGreaterThan(8);
    expect(swept.length).toBeLessThan(12);
    rig.crash();
    rig.restart();
    const before = swept.length;
    await rig.advance(2 * MINUTE);
    expect(swept.length).toBeGreaterThan(before);
  });

  it("tell a hook once of a lane that both hold", async () => {
    const { rig, relays } = await createPair({
      destinations: [destination("crm", ["a"])],
      receivers: { a: failingUntil(60 * MINUTE), pager: { status: 200 } },
      notify: [{ url: url("pager"), headers: [], secrets: [createSecret(SECRET)] }],
    });
    await send(rig, relays, 200);
    await rig.advance(5 * MINUTE);
    expect(relays.map((relay) => relay.lanes()[0]?.mode)).toEqual(["held", "held"]);
    const heldEvents = rig.seen
      .filter((one) => one.url === url("pager"))
      .map(({ body }) => JSON.parse(body) as { kind: string });
    expect(heldEvents.filter(({ kind }) => kind === "lane-held")).toHaveLength(1);
  });

  it("carry out a request about users that the other was asked for", async () => {
    const { rig, relays } = await createPair({ receivers: { a: "silent" } });
    for (const relay of relays)
      await rig.answer(relay.requestDeletion({ regulation: "delete-only", userIds: ["ann"] }));
    await rig.advance(MINUTE);
    const { deletions } = await rig.answer(relays[0]!.deletionRequests({ limit: 5 }));
    expect(deletions).toHaveLength(2);
    for (const { finishedAt } of deletions) expect(finishedAt).toBeDefined();
  });

  it("send nothing before they have read the board", async () => {
    const rig = createRig({
      hasBoard: true,
      wrapStore: ({ board, ...store }) => ({
        ...store,
        ...(board && { board: { ...board, beat: () => new Promise<never>(() => undefined) } }),
      }),
    });
    await rig.accept(track());
    await rig.advance(MINUTE);
    expect(rig.seen).toEqual([]);
  });
});

function failingUntil(ms: number): Receiver {
  let first: number | undefined;
  return ({ at }) => {
    first ??= at;
    return { status: at - first < ms ? 500 : 200 };
  };
}
