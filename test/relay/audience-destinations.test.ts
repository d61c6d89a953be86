// The destinations that a sync tells: each gets its changes, whenever it was connected, switched off or full.

import { describe, expect, it } from "vitest";
import { CRM, createAudienceRig, crm, MAIL, mail } from "./audience-rig.js";

const both = { destinations: [crm(), mail()] };

describe("a destination of an audience", () => {
  it("that is connected later gets all members with its first sync", async () => {
    const rig = createAudienceRig(both);
    await rig.create();
    await rig.sync(["a", "b"]);
    expect(rig.heard()).toEqual(["crm a true", "crm b true"]);
    (await rig.settle(rig.relay().setAudienceDestinations("vip", [CRM, MAIL])))._unsafeUnwrap();
    await rig.sync(["b", "c"]);
    expect(rig.heard()).toEqual(["crm a false", "crm c true", "mail b true", "mail c true"]);
    await rig.sync(["b"]);
    expect(rig.heard()).toEqual(["crm c false", "mail c false"]);
  });

  it("that is switched off is told nothing, and all missed changes once it is on again", async () => {
    const rig = createAudienceRig(both);
    await rig.create({ destinations: [CRM, MAIL] });
    await rig.sync(["a", "b", "c"]);
    expect(rig.heard()).toHaveLength(6);
    rig.configure(crm(), mail({ enabled: false }));
    await rig.sync(["b", "c", "d"]);
    await rig.sync(["c", "e"]);
    expect(rig.heard()).toEqual(["crm a false", "crm b false", "crm d false", "crm d true", "crm e true"]);
    rig.configure(crm(), mail());
    await rig.sync(["c", "e"]);
    expect(rig.heard()).toEqual(["mail a false", "mail b false", "mail e true"]);
  });

  it("that was removed from the settings is told nothing, and the others everything", async () => {
    const rig = createAudienceRig(both);
    await rig.create({ destinations: [CRM, MAIL] });
    rig.configure(crm());
    expect((await rig.trySync(["a"])).isOk()).toBe(true);
    expect(rig.heard()).toEqual(["crm a true"]);
  });

  it("that is removed from the audience and added again is told the changes since it was told last", async () => {
    const rig = createAudienceRig(both);
    await rig.create({ destinations: [CRM, MAIL] });
    await rig.sync(["a", "b"]);
    (await rig.settle(rig.relay().setAudienceDestinations("vip", [CRM])))._unsafeUnwrap();
    await rig.sync(["b"]);
    rig.heard();
    (await rig.settle(rig.relay().setAudienceDestinations("vip", [CRM, MAIL])))._unsafeUnwrap();
    await rig.sync(["b"]);
    expect(rig.heard()).toEqual(["mail a false"]);
  });

  it("that is paused gets its waiting messages once it is resumed", async () => {
    const rig = createAudienceRig({ destinations: [crm({ paused: true })] });
    await rig.create();
    expect((await rig.sync(["a"])).entered).toBe(1);
    expect(rig.heard()).toEqual([]);
    rig.configure(crm());
    await rig.clock.advance(2_000);
    expect(rig.heard()).toEqual(["crm a true"]);
  });

  it("that is switched off during a sync is told the rest with the next sync, and nothing twice", async () => {
    const users = Array.from({ length: 10 }, (_, index) => `u${String(index)}`);
    const rig = createAudienceRig({
      destinations: [crm(), mail({ paused: true })],
      relay: { syncBounds: { stepChanges: 2, laneDeliveries: 3 } },
    });
    await rig.create({ destinations: [CRM, MAIL] });
    const synced = rig.relay().syncAudience("vip", users);
    await rig.clock.advance(2_000);
    // Four deliveries to the mail are under way, and its lane is full; the crm got all changes.
    expect(rig.heard()).toEqual(users.map((user) => `crm ${user} true`));
    expect((await rig.record()).running).toMatchObject({ kind: "sending", left: [MAIL] });
    rig.configure(crm(), mail({ enabled: false }));
    expect((await rig.settle(synced))._unsafeUnwrap()).toMatchObject({ members: 10, entered: 10 });
    rig.configure(crm(), mail());
    await rig.sync(users.slice(2));
    expect(rig.heard()).toEqual([
      ...["crm u0 false", "crm u1 false"],
      ...["mail u0 false", "mail u0 true", "mail u1 false", "mail u1 true"],
      ...users.slice(2).map((user) => `mail ${user} true`),
    ]);
  });

  it("whose lane is full makes the sync wait, and does not delay the others", async () => {
    const users = Array.from({ length: 300 }, (_, index) => `u${String(index)}`);
    const rig = createAudienceRig({
      destinations: [crm({ paused: true }), mail()],
      relay: { syncBounds: { stepChanges: 20, laneDeliveries: 100 } },
    });
    await rig.create({ destinations: [CRM, MAIL] });
    const synced = rig.relay().syncAudience("vip", users);
    await rig.clock.advance(60_000);
    expect(rig.heard()).toEqual(users.map((user) => `mail ${user} true`).toSorted());
    const [lane] = (await rig.deliveries.lanes({ limit: 1 }, rig.clock.wall())).lanes;
    expect(lane).toMatchObject({ lane: CRM, deliveries: 100 });
    rig.configure(crm(), mail());
    expect((await rig.settle(synced, 10_000))._unsafeUnwrap().entered).toBe(300);
    expect(rig.heard()).toHaveLength(300);
  });

  it("is told once, though its lane is full: deliveries that do not fit are dead and can be replayed", async () => {
    const rig = createAudienceRig({
      destinations: [crm({ paused: true })],
      relay: { laneBounds: { maxDeliveries: 3, maxBytes: 1_000_000 } },
    });
    await rig.create();
    expect((await rig.trySync(["a", "b", "c", "d", "e"])).isOk()).toBe(true);
    const { deliveries } = await rig.deliveries.list({ limit: 10 });
    expect(deliveries.map(({ reason, state }) => reason ?? state).toSorted()).toEqual([
      ...["lane-full", "lane-full", "waiting", "waiting", "waiting"],
    ]);
  });
});

describe("a member who is suppressed", () => {
  it("is told to no destination, and is counted", async () => {
    const rig = createAudienceRig();
    await rig.create();
    const request = { userIds: ["a"], regulation: "suppress-only" } as const;
    (await rig.settle(rig.relay().requestDeletion(request)))._unsafeUnwrap();
    expect((await rig.trySync(["a", "b"])).isOk()).toBe(true);
    expect(rig.heard()).toEqual(["crm b true"]);
    const usage = (await rig.settle(rig.relay().usage()))._unsafeUnwrap();
    expect(usage).toMatchObject([{ source: "audience/vip", accepted: 1, suppressed: 1 }]);
  });
});
