// The destinations that a sync tells: each gets its changes, whenever it was connected, switched off or full.

import { describe, expect, it } from "vitest";
import { CRM, createAudienceBench, crm, MAIL, mail } from "./audience-rig.js";

const both = { destinations: [crm(), mail()] };

describe("a destination of an audience", () => {
  it("that is connected later gets all members with its first sync", async () => {
    const bench = createAudienceBench(both);
    await bench.create();
    await bench.sync(["a", "b"]);
    expect(bench.heard()).toEqual(["crm a true", "crm b true"]);
    (await bench.settle(bench.relay().setAudienceDestinations("vip", [CRM, MAIL])))._unsafeUnwrap();
    await bench.sync(["b", "c"]);
    expect(bench.heard()).toEqual(["crm a false", "crm c true", "mail b true", "mail c true"]);
    await bench.sync(["b"]);
    expect(bench.heard()).toEqual(["crm c false", "mail c false"]);
  });

  it("that is switched off is told nothing, and all missed changes once it is on again", async () => {
    const bench = createAudienceBench(both);
    await bench.create({ destinations: [CRM, MAIL] });
    await bench.sync(["a", "b", "c"]);
    expect(bench.heard()).toHaveLength(6);
    bench.configure(crm(), mail({ enabled: false }));
    await bench.sync(["b", "c", "d"]);
    await bench.sync(["c", "e"]);
    expect(bench.heard()).toEqual(["crm a false", "crm b false", "crm d false", "crm d true", "crm e true"]);
    bench.configure(crm(), mail());
    await bench.sync(["c", "e"]);
    expect(bench.heard()).toEqual(["mail a false", "mail b false", "mail e true"]);
  });

  it("that was removed from the settings is told nothing, and the others everything", async () => {
    const bench = createAudienceBench(both);
    await bench.create({ destinations: [CRM, MAIL] });
    bench.configure(crm());
    expect((await bench.trySync(["a"])).isOk()).toBe(true);
    expect(bench.heard()).toEqual(["crm a true"]);
  });

  it("that is removed from the audience and added again is told the changes since it was told last", async () => {
    const bench = createAudienceBench(both);
    await bench.create({ destinations: [CRM, MAIL] });
    await bench.sync(["a", "b"]);
    (await bench.settle(bench.relay().setAudienceDestinations("vip", [CRM])))._unsafeUnwrap();
    await bench.sync(["b"]);
    bench.heard();
    (await bench.settle(bench.relay().setAudienceDestinations("vip", [CRM, MAIL])))._unsafeUnwrap();
    await bench.sync(["b"]);
    expect(bench.heard()).toEqual(["mail a false"]);
  });

  it("that is paused gets its waiting messages once it is resumed", async () => {
    const bench = createAudienceBench({ destinations: [crm({ paused: true })] });
    await bench.create();
    expect((await bench.sync(["a"])).entered).toBe(1);
    expect(bench.heard()).toEqual([]);
    bench.configure(crm());
    await bench.clock.advance(2_000);
    expect(bench.heard()).toEqual(["crm a true"]);
  });

  it("that is switched off during a sync is told the rest with the next sync, and nothing twice", async () => {
    const users = Array.from({ length: 10 }, (_, index) => `u${String(index)}`);
    const bench = createAudienceBench({
      destinations: [crm(), mail({ paused: true })],
      relay: { syncBounds: { stepChanges: 2, laneDeliveries: 3 } },
    });
    await bench.create({ destinations: [CRM, MAIL] });
    const synced = bench.relay().syncAudience("vip", users);
    await bench.clock.advance(2_000);
    // Four deliveries to the mail are under way, and its lane is full; the crm was told all.
    expect(bench.heard()).toEqual(users.map((user) => `crm ${user} true`));
    expect((await bench.record()).running).toMatchObject({ kind: "sending", left: [MAIL] });
    bench.configure(crm(), mail({ enabled: false }));
    expect((await bench.settle(synced))._unsafeUnwrap()).toMatchObject({ members: 10, entered: 10 });
    bench.configure(crm(), mail());
    await bench.sync(users.slice(2));
    expect(bench.heard()).toEqual([
      ...["crm u0 false", "crm u1 false"],
      ...["mail u0 false", "mail u0 true", "mail u1 false", "mail u1 true"],
      ...users.slice(2).map((user) => `mail ${user} true`),
    ]);
  });

  it("whose lane is full makes the sync wait, and does not delay the others", async () => {
    const users = Array.from({ length: 300 }, (_, index) => `u${String(index)}`);
    const bench = createAudienceBench({
      destinations: [crm({ paused: true }), mail()],
      relay: { syncBounds: { stepChanges: 20, laneDeliveries: 100 } },
    });
    await bench.create({ destinations: [CRM, MAIL] });
    const synced = bench.relay().syncAudience("vip", users);
    await bench.clock.advance(60_000);
    expect(bench.heard()).toEqual(users.map((user) => `mail ${user} true`).toSorted());
    const [lane] = (await bench.deliveries.lanes({ limit: 1 }, bench.clock.wall())).lanes;
    expect(lane).toMatchObject({ lane: CRM, deliveries: 100 });
    bench.configure(crm(), mail());
    expect((await bench.settle(synced, 10_000))._unsafeUnwrap().entered).toBe(300);
    expect(bench.heard()).toHaveLength(300);
  });

  it("is told once, though its lane is full: deliveries that do not fit are dead and can be replayed", async () => {
    const bench = createAudienceBench({
      destinations: [crm({ paused: true })],
      relay: { laneBounds: { maxDeliveries: 3, maxBytes: 1_000_000 } },
    });
    await bench.create();
    expect((await bench.trySync(["a", "b", "c", "d", "e"])).isOk()).toBe(true);
    const { deliveries } = await bench.deliveries.list({ limit: 10 });
    expect(deliveries.map(({ reason, state }) => reason ?? state).toSorted()).toEqual([
      ...["lane-full", "lane-full", "waiting", "waiting", "waiting"],
    ]);
  });
});

describe("a member who is suppressed", () => {
  it("is told to no destination, and is counted", async () => {
    const bench = createAudienceBench();
    await bench.create();
    const request = { userIds: ["a"], regulation: "suppress-only" } as const;
    (await bench.settle(bench.relay().requestDeletion(request)))._unsafeUnwrap();
    expect((await bench.trySync(["a", "b"])).isOk()).toBe(true);
    expect(bench.heard()).toEqual(["crm b true"]);
    const usage = (await bench.settle(bench.relay().usage()))._unsafeUnwrap();
    expect(usage).toMatchObject([{ source: "audience/vip", accepted: 1, suppressed: 1 }]);
  });
});
