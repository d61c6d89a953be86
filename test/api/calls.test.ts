import { createRecentCalls } from "@postrider/http/api";
import { createSecret, type DeliveryId, type DestinationId, type EpochMs, type SourceId } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TOKEN } from "../canary.js";
import "../property.js";
import { request, textOf } from "../http/request.js";
import { createCheckedApi } from "./contract/checked-api.js";
import { BEARER, createRig } from "./rig.js";

const WEBSITE = "website" as SourceId;
const APP = "app" as SourceId;
const AT = "2026-01-31T12:00:00.000Z";
const at = Date.parse(AT) as EpochMs;

interface Page {
  readonly calls: readonly Readonly<Record<string, unknown>>[];
  readonly latest: number;
  readonly missed: number;
}

function world() {
  const calls = createRecentCalls({ wall: () => at });
  const api = createCheckedApi({ relay: createRig().relay, apiToken: createSecret(TOKEN), calls });
  const ask = async (query = "") => {
    const answer = await api(request("GET", "/api/calls", { headers: BEARER, query }));
    return { status: answer.status, body: JSON.parse(textOf(answer)) as Page };
  };
  const accept = (messageId: string, source = WEBSITE) =>
    calls.observe({ at, kind: "accepted", source, messageId, deliveries: ["1" as DeliveryId], filtered: [] });
  return { calls, ask, accept };
}

describe("GET /api/calls", () => {
  it("shows what came of each call, newest first", async () => {
    const { calls, ask, accept } = world();
    accept("m1");
    const filtered = [{ destination: "crm" as DestinationId, reason: "integrations" as const }];
    calls.observe({ at, kind: "accepted", source: WEBSITE, messageId: "m2", deliveries: [], filtered });
    calls.observe({ at, kind: "duplicate", source: WEBSITE, messageId: "m1" });
    calls.observe({ at, kind: "suppressed", source: WEBSITE, messageId: "m3" });
    const refusal = { code: "no-event", path: "event", expected: "the name of the event" } as const;
    calls.observe({ at, kind: "refused", source: WEBSITE, refusal });
    calls.observe({ at, kind: "shed", source: WEBSITE, calls: 7 });
    calls.observe({ at, kind: "configured" });
    calls.noteUnknownKey();
    const { body } = await ask();
    expect(body).toMatchObject({ latest: 7, missed: 0 });
    const nothing = {
      source: "website",
      messageId: null,
      deliveries: [],
      filtered: [],
      refusal: null,
      warnings: [],
      calls: 1,
      at: AT,
    };
    expect(body.calls).toEqual([
      { ...nothing, number: 7, outcome: "unknown-key", source: null },
      { ...nothing, number: 6, outcome: "shed", calls: 7 },
      { ...nothing, number: 5, outcome: "refused", refusal: { code: "no-event", path: "event" } },
      { ...nothing, number: 4, outcome: "suppressed", messageId: "m3" },
      { ...nothing, number: 3, outcome: "duplicate", messageId: "m1" },
      { ...nothing, number: 2, outcome: "filtered", messageId: "m2", filtered },
      { ...nothing, number: 1, outcome: "accepted", messageId: "m1", deliveries: ["1"] },
    ]);
  });

  it("shows what of a call may be otherwise than its caller meant", async () => {
    const { calls, ask } = world();
    const accepted = { at, kind: "accepted", source: WEBSITE, messageId: "m1", deliveries: [], filtered: [] } as const;
    const warnings = [{ code: "unread-date", path: "timestamp" }] as const;
    calls.observe({ ...accepted, warnings });
    expect((await ask()).body.calls).toMatchObject([{ messageId: "m1", warnings }]);
  });

  it.each([
    ["source=app", ["m2"]],
    ["messageId=m3", ["m3"]],
    ["outcome=accepted&limit=2", ["m3", "m2"]],
    ["outcome=refused", []],
    ["after=2", ["m3"]],
    ["after=0", ["m3", "m2", "m1"]],
  ])("takes %s", async (query, ids) => {
    const { ask, accept } = world();
    accept("m1");
    accept("m2", APP);
    accept("m3");
    expect((await ask(query)).body.calls.map(({ messageId }) => messageId)).toEqual(ids);
  });

  it("remembers the latest thousand, and says how many it has forgotten", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 3_100 }), (count, after) => {
        const { calls, accept } = world();
        for (let call = 1; call <= count; call += 1) accept(String(call));
        const page = calls.list({ after, limit: 1_000 });
        const all = Array.from({ length: count }, (_, index) => count - index);
        expect(page.calls.map(({ number }) => number)).toEqual(all.slice(0, 1_000).filter((number) => number > after));
        expect(page.latest).toBe(count);
        expect(page.missed + page.calls.length).toBe(Math.max(0, count - after));
      }),
      { numRuns: 30 },
    );
  });

  it("refuses a filter that does not exist, and is not there without a memory of calls", async () => {
    const { ask } = world();
    expect((await ask("after=-1")).status).toBe(400);
    expect((await ask("outcome=lost")).status).toBe(400);
    expect((await createRig().get("/api/calls")).status).toBe(404);
  });
});
