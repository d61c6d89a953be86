// The contents of the messages of an audience and of a computed trait.

import type { AudienceDefinition } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { createAudienceRig } from "./audience-rig.js";

const personas = (id: string, kind = "audience", key = "vip") => ({
  computation_class: kind,
  computation_id: id,
  computation_key: key,
  namespace: "spa_postrider",
  space_id: "spa_postrider",
});

async function open(definition: Partial<AudienceDefinition>) {
  const rig = createAudienceRig();
  return { rig, record: await rig.create(definition) };
}

describe("the messages of an audience", () => {
  it("are identify calls with a trait that is true or false", async () => {
    const { rig, record } = await open({});
    await rig.sync(["a"]);
    await rig.sync([]);
    expect(rig.messages()).toMatchObject([
      { type: "identify", userId: "a", traits: { vip: true }, context: { personas: personas(record.id) } },
      { type: "identify", userId: "a", traits: { vip: false }, context: { personas: personas(record.id) } },
    ]);
  });

  it("are track calls if it says so", async () => {
    const { rig, record } = await open({ sendsAs: "track" });
    await rig.sync(["a"]);
    await rig.sync([]);
    const context = { personas: personas(record.id) };
    expect(rig.messages()).toMatchObject([
      { type: "track", event: "Audience Entered", properties: { audience_key: "vip", vip: true }, context },
      { type: "track", event: "Audience Exited", properties: { audience_key: "vip", vip: false }, context },
    ]);
  });

  it("are counted under a separate source", async () => {
    const { rig } = await open({});
    await rig.sync(["a", "b"]);
    const usage = (await rig.settle(rig.relay().usage()))._unsafeUnwrap();
    expect(usage).toMatchObject([{ source: "audience/vip", accepted: 2, delivered: 2 }]);
  });
});

describe("the messages of a computed trait", () => {
  const spent = { name: "Total Spent", kind: "trait" } as const;
  const key = "total_spent";

  it("carry values, only when they change, and null for a user that has none any more", async () => {
    const { rig, record } = await open(spent);
    const sync = (values: Readonly<Record<string, string>>) =>
      rig.sync(
        Object.entries(values).map(([userId, value]) => ({ userId, value })),
        { key },
      );
    await sync({ a: "1", b: '{"x":[1,2]}', c: '"text"' });
    expect(rig.heard()).toEqual(["crm a 1", 'crm b {"x":[1,2]}', 'crm c "text"']);
    expect(rig.messages()[0]?.context).toEqual({ personas: personas(record.id, "trait", key) });
    const report = await sync({ a: "2", b: ' {"x": [1, 2]} ' });
    expect(rig.heard()).toEqual(["crm a 2", "crm c null"]);
    expect(report).toMatchObject({ members: 2, entered: 0, departed: 1, changed: 1 });
  });

  it("are track calls if it says so", async () => {
    const { rig } = await open({ ...spent, sendsAs: "track" });
    await rig.sync([{ userId: "a", value: "7.5" }], { key });
    await rig.sync([], { key });
    expect(rig.messages()).toMatchObject([
      { type: "track", event: "Trait Computed", properties: { trait_key: key, [key]: 7.5 } },
      { type: "track", event: "Trait Computed", properties: { trait_key: key, [key]: null } },
    ]);
  });

  it("carry the value that was given last, whatever the place of the others in the list", async () => {
    const rig = createAudienceRig({ relay: { syncBounds: { chunkMembers: 2, runChunks: 2, mergeRuns: 2 } } });
    await rig.create(spent);
    const values = Array.from({ length: 30 }, (_, index) => ({
      userId: `u${String(index % 7)}`,
      value: String(index),
    }));
    await rig.sync(values, { key });
    expect(rig.heard()).toEqual(
      [28, 29, 23, 24, 25, 26, 27].map((value, user) => `crm u${String(user)} ${String(value)}`),
    );
  });
});
