import type { SourceId } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { type Rig, createRig } from "./rig.js";
import { destination, workspace } from "../ingest/world.js";

const NOW = "2026-01-01T00:00:00.000Z";
const HOURS_24_MS = 86_400_000;

/** Accepts a call with the messageId m1. */
async function take({ relay }: Rig, source: string): Promise<void> {
  const calls = [{ type: "track", userId: "u1", event: "Signed Up", messageId: "m1" }];
  (await relay.accept({ source: source as SourceId, calls }))._unsafeUnwrap();
}

describe("GET /api/seen", () => {
  it("distinguishes a filtered call from one that was never made", async () => {
    const rig = createRig({ workspace: workspace({ destinations: [destination({ enabled: false })] }) });
    await take(rig, "website");
    expect((await rig.get("/api/seen?messageId=m1")).body).toEqual({
      seen: [{ source: "website", messageId: "m1", seenAt: NOW, deliveries: 0 }],
    });
    expect(await rig.get("/api/seen?messageId=m2")).toMatchObject({ status: 200, body: { seen: [] } });
  });

  it("answers each source that has the id, or only the requested one", async () => {
    const rig = createRig();
    await take(rig, "website");
    await take(rig, "shop");
    const of = async (query: string) =>
      ((await rig.get(`/api/seen?messageId=m1${query}`)).body as { readonly seen: readonly object[] }).seen;
    expect(await of("")).toHaveLength(2);
    expect(await of("&source=website")).toMatchObject([{ source: "website", deliveries: 1 }]);
    expect(await of("&source=shop")).toMatchObject([{ source: "shop", deliveries: 0 }]);
    expect(await of("&source=other")).toEqual([]);
  });

  it("remembers for as long as a further call would be a duplicate", async () => {
    const rig = createRig();
    await take(rig, "website");
    const count = async () =>
      ((await rig.get("/api/seen?messageId=m1")).body as { readonly seen: readonly object[] }).seen.length;
    await rig.clock.advance(HOURS_24_MS - 1);
    expect(await count()).toBe(1);
    await rig.clock.advance(1);
    expect(await count()).toBe(0);
  });

  it.each([
    ["", "messageId"],
    ["?source=website", "messageId"],
    ["?messageId=", "messageId"],
    ["?messageId=m1&messageId=m2", "messageId"],
    ["?messageId=m1&limit=5", "limit"],
  ])("refuses the query %j", async (query, path) => {
    const { status, body } = await createRig().get(`/api/seen${query}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: "bad-query", path } } });
  });
});
