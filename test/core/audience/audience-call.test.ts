import type { AudienceRecord, MemberChange } from "@postrider/core";
import { audienceCall, RESERVED_AUDIENCE_KEYS } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { audience } from "./builders.js";

const ENTERED: MemberChange = { kind: "entered", userId: "u" };
const DEPARTED: MemberChange = { kind: "departed", userId: "u" };
const told = (record: Partial<AudienceRecord>, change: MemberChange) => {
  const call = audienceCall(audience(record), change);
  return call.type === "identify" ? { traits: call.traits } : { event: call.event, properties: call.properties };
};

describe("audienceCall", () => {
  it("has true or false as the trait of an audience", () => {
    expect(told({}, ENTERED)).toEqual({ traits: { vip: true } });
    expect(told({}, DEPARTED)).toEqual({ traits: { vip: false } });
  });

  it("has the value of a computed trait, or null", () => {
    expect(told({ kind: "trait" }, { ...ENTERED, value: '{"a":[1]}' })).toEqual({ traits: { vip: { a: [1] } } });
    expect(told({ kind: "trait" }, { ...ENTERED, kind: "changed", value: "0" })).toEqual({ traits: { vip: 0 } });
    expect(told({ kind: "trait" }, DEPARTED)).toEqual({ traits: { vip: null } });
  });

  it("names the event in a track call", () => {
    const track = { sendsAs: "track" } as const;
    expect(told(track, ENTERED)).toEqual({
      event: "Audience Entered",
      properties: { audience_key: "vip", vip: true },
    });
    expect(told(track, DEPARTED)).toEqual({
      event: "Audience Exited",
      properties: { audience_key: "vip", vip: false },
    });
    expect(told({ ...track, kind: "trait" }, { ...ENTERED, value: "1" })).toEqual({
      event: "Trait Computed",
      properties: { trait_key: "vip", vip: 1 },
    });
  });

  it("has the user, and the audience that it comes from", () => {
    expect(audienceCall(audience(), ENTERED)).toMatchObject({
      userId: "u",
      context: {
        personas: {
          computation_class: "audience",
          computation_id: "aud_1",
          computation_key: "vip",
          namespace: "spa_postrider",
          space_id: "spa_postrider",
        },
      },
    });
  });

  it("is complete as a track call", () => {
    expect(audienceCall(audience({ sendsAs: "track" }), ENTERED)).toMatchObject({
      type: "track",
      userId: "u",
      context: { personas: { computation_key: "vip" } },
    });
  });

  it("has names of properties that no audience may have as its key", () => {
    expect([...RESERVED_AUDIENCE_KEYS].sort()).toEqual(["audience_key", "trait_key"]);
  });
});
