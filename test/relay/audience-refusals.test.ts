// The refusals of a relay about audiences: each leaves no change at a destination.

import type { AudienceDefinition, DestinationId } from "@postrider/core";
import type { Members } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { type AudienceRig, CRM, createAudienceRig, createGate, SILENCE_MS } from "./audience-rig.js";
import { createRig } from "./rig.js";

async function open(definition: Partial<AudienceDefinition> = {}): Promise<AudienceRig> {
  const rig = createAudienceRig();
  await rig.create(definition);
  return rig;
}

async function refusal(rig: AudienceRig, definition: Partial<AudienceDefinition>): Promise<unknown> {
  const whole = { name: "VIP", kind: "audience", sendsAs: "identify", destinations: [CRM], ...definition } as const;
  return (await rig.settle(rig.relay().createAudience(whole)))._unsafeUnwrapErr();
}

describe("creating an audience", () => {
  it("keeps it under its key", async () => {
    const rig = createAudienceRig();
    const record = await rig.create({ name: "Big Spenders!", destinations: [CRM, CRM] });
    expect(record).toMatchObject({ key: "big_spenders", id: expect.stringMatching(/^aud_[0-9a-f]{24}$/), syncs: 0 });
    expect(record.destinations).toEqual([CRM]);
    expect((await rig.settle(rig.relay().audience("big_spenders")))._unsafeUnwrap()).toEqual(record);
    expect((await rig.settle(rig.relay().audience("vip")))._unsafeUnwrap()).toBeUndefined();
    const second = await rig.create({ name: "a trait", kind: "trait" });
    expect(second.id).toMatch(/^trait_/);
    expect((await rig.settle(rig.relay().audiences()))._unsafeUnwrap()).toEqual([second, record]);
  });

  it("is refused without a letter or a digit, with too long a name, and for an unknown destination", async () => {
    const rig = createAudienceRig();
    expect(await refusal(rig, { name: "!?" })).toEqual({ code: "empty-name" });
    expect(await refusal(rig, { name: "a".repeat(201) })).toEqual({ code: "name-too-long" });
    expect(await refusal(rig, { destinations: ["who" as DestinationId] })).toEqual({
      code: "unknown-destination",
      destination: "who",
    });
    expect((await rig.settle(rig.relay().audiences()))._unsafeUnwrap()).toEqual([]);
    expect((await rig.create({ name: "a".repeat(200) })).key).toHaveLength(200);
  });

  it("is refused if its key is taken, by another audience or by a field of messages", async () => {
    const rig = await open();
    expect(await refusal(rig, { name: "vip!" })).toEqual({ code: "key-taken", key: "vip" });
    expect(await refusal(rig, { name: "Audience Key" })).toEqual({ code: "key-taken", key: "audience_key" });
    expect(await refusal(rig, { name: "Trait Key" })).toEqual({ code: "key-taken", key: "trait_key" });
  });
});

describe("a relay without an audience store", () => {
  it("says that it has no audiences", async () => {
    const rig = createRig();
    const relay = rig.relay();
    const whole = { name: "VIP", kind: "audience", sendsAs: "identify", destinations: [] } as const;
    const answers = await Promise.all([
      relay.createAudience(whole),
      relay.syncAudience("vip", []),
      relay.setAudienceDestinations("vip", []),
    ]);
    for (const answer of answers) expect(answer._unsafeUnwrapErr()).toEqual({ code: "not-supported" });
    expect((await relay.audiences())._unsafeUnwrap()).toEqual([]);
    expect((await relay.audience("vip"))._unsafeUnwrap()).toBeUndefined();
  });
});

describe("a sync that is refused", () => {
  async function expectNothingSent(rig: AudienceRig): Promise<void> {
    expect(rig.heard()).toEqual([]);
    expect(await rig.audiences.sets("")).toEqual([]);
    expect((await rig.record()).running).toBeNull();
    expect((await rig.trySync(["z"])).isOk()).toBe(true);
  }

  it.each<readonly [what: string, members: Members, index: number]>([
    ["an empty user id", ["a", ""], 1],
    ["a number", [1 as unknown as string], 0],
    ["null", ["a", "b", null as unknown as string], 2],
    ["an object without a user id", [{} as unknown as string], 0],
    ["a value", [{ userId: "a", value: "1" }], 0],
    ["a user id that no call can carry", ["a".repeat(33_000)], 0],
  ])("for %s gives its index, and sends nothing", async (_what, members, index) => {
    const rig = await open();
    expect((await rig.trySync(members))._unsafeUnwrapErr()).toMatchObject({ code: "bad-member", index });
    await expectNothingSent(rig);
  });

  it.each<readonly [what: string, member: unknown]>([
    ["no value", "a"],
    ["a value that is no text", { userId: "a", value: 1 }],
    ["a value that is no JSON", { userId: "a", value: "{" }],
    ["null", { userId: "a", value: "null" }],
    ["a number that JSON lacks", { userId: "a", value: "1e400" }],
    ["a value too deep", { userId: "a", value: "[".repeat(70) + "]".repeat(70) }],
    ["a value too large", { userId: "a", value: JSON.stringify("x".repeat(33_000)) }],
  ])("of a computed trait for %s sends nothing", async (_what, member) => {
    const rig = await open({ kind: "trait" });
    expect((await rig.trySync([member as string]))._unsafeUnwrapErr()).toMatchObject({
      code: "bad-member",
      index: 0,
    });
    expect(rig.heard()).toEqual([]);
  });

  it("because its members threw sends nothing", async () => {
    const rig = await open();
    function* breakingOff() {
      for (let index = 0; index < 50_000; index += 1) yield `u${String(index)}`;
      throw new Error("the cursor is gone");
    }
    expect((await rig.trySync(breakingOff()))._unsafeUnwrapErr()).toEqual({ code: "members-failed" });
    await expectNothingSent(rig);
  });

  it("because its members threw later, one by one, sends nothing", async () => {
    const rig = await open();
    async function* breakingOff() {
      yield "a";
      await Promise.resolve();
      throw new Error("the cursor is gone");
    }
    expect((await rig.trySync(breakingOff()))._unsafeUnwrapErr()).toEqual({ code: "members-failed" });
    await expectNothingSent(rig);
  });

  it("because the audience is unknown", async () => {
    const rig = await open();
    expect((await rig.trySync(["a"], { key: "other" }))._unsafeUnwrapErr()).toEqual({ code: "unknown-audience" });
  });

  it("closes the iterable of its members", async () => {
    const rig = await open();
    let isClosed = false;
    function* members() {
      try {
        yield "";
        yield "a";
      } finally {
        isClosed = true;
      }
    }
    expect((await rig.trySync(members())).isErr()).toBe(true);
    expect(isClosed).toBe(true);
  });
});

describe("a second sync of an audience", () => {
  it("is refused while the first collects its members, here or in another process", async () => {
    const rig = await open();
    const source = createGate();
    const first = rig.relay().syncAudience("vip", source.members);
    await rig.clock.advance(100_000);
    expect((await rig.trySync(["z"]))._unsafeUnwrapErr()).toEqual({ code: "sync-running" });
    const otherRelay = rig.join();
    expect((await rig.settle(otherRelay.syncAudience("vip", ["z"])))._unsafeUnwrapErr()).toEqual({
      code: "sync-running",
    });
    source.open();
    expect((await rig.settle(first))._unsafeUnwrap()).toMatchObject({ sync: 1, members: 2 });
    expect(rig.heard()).toEqual(["crm a true", "crm b true"]);
    expect((await rig.settle(otherRelay.syncAudience("vip", ["a"])))._unsafeUnwrap()).toMatchObject({ sync: 2 });
    expect(rig.heard()).toEqual(["crm b false"]);
  });

  it("is refused while the first is being sent", async () => {
    const rig = createAudienceRig({ relay: { syncBounds: { stepChanges: 1, laneDeliveries: 0 } } });
    await rig.create();
    void rig.relay().syncAudience("vip", ["a"]);
    await rig.clock.advance(100_000);
    expect((await rig.trySync(["z"]))._unsafeUnwrapErr()).toEqual({ code: "sync-running" });
  });

  it("may begin as soon as the first is lost: with its process, or with its relay", async () => {
    const rig = await open();
    void rig.relay().syncAudience("vip", createGate().members);
    await rig.clock.advance(1_000);
    rig.crash();
    rig.restart();
    expect((await rig.trySync(["z"]))._unsafeUnwrapErr()).toEqual({ code: "sync-running" });
    await rig.clock.advance(SILENCE_MS);
    expect((await rig.record()).running).toBeNull();

    const gate = createGate();
    const second = rig.relay().syncAudience("vip", gate.members);
    await rig.clock.advance(1_000);
    const stopping = rig.relay().stop();
    await rig.clock.advance(1_000);
    await stopping;
    gate.open();
    expect((await rig.settle(second))._unsafeUnwrapErr()).toEqual({ code: "stopped" });
    expect((await rig.trySync(["z"]))._unsafeUnwrapErr()).toEqual({ code: "stopped" });
    rig.restart();
    expect((await rig.trySync(["z"])).isOk()).toBe(true);
    expect(rig.heard()).toEqual(["crm z true"]);
  });
});
