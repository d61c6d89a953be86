import { describe, expect, it } from "vitest";
import { createRig, type Rig, type Told } from "./rig.js";

function refusal({ status, body }: Told): unknown {
  const { error } = body as { readonly error: { readonly code: string; readonly message: string } };
  return [status, error.code, error.message];
}

/** Deliveries of the crm that are dead, since it refuses them. */
async function withDead(count: number): Promise<Rig> {
  const rig = createRig({ script: () => ({ kind: "answers", status: 422 }) });
  for (let nth = 1; nth <= count; nth += 1) await rig.track({ messageId: `m${String(nth)}` });
  await rig.clock.advance(1_000);
  return rig;
}

interface JobBody {
  readonly id: string;
  readonly state: string;
}

describe("POST /api/replay-jobs/preview", () => {
  it("counts what a job would replay, with its filter, and shows the latest", async () => {
    const rig = await withDead(7);
    const told = await rig.post("/api/replay-jobs/preview", { destination: "crm", status: "4xx" });
    expect(told).toMatchObject({
      status: 200,
      body: {
        deliveries: 7,
        isWhole: true,
        byDestination: [{ destination: "crm", deliveries: 7 }],
        byReason: [{ reason: "refused", deliveries: 7 }],
      },
    });
    expect((told.body as { readonly examples: readonly unknown[] }).examples).toHaveLength(5);
    const none = await rig.post("/api/replay-jobs/preview", { status: "5xx" });
    expect(none.body).toMatchObject({ deliveries: 0, oldest: null, newest: null, examples: [] });
    expect((await rig.get("/api/replay-jobs")).body).toEqual({ jobs: [] });
  });

  it("takes both states, and every filter of a list but the message, the user and what was replayed", async () => {
    const rig = await withDead(1);
    const filter = {
      ...{ state: ["delivered", "dead"], reason: "refused", source: "website", destination: "crm", type: "track" },
      ...{ fault: ["timeout", "dns"], since: "2020-01-01T00:00:00Z", until: "2099-01-01T00:00:00Z" },
    };
    expect((await rig.post("/api/replay-jobs/preview", filter)).status).toBe(200);
    for (const name of ["messageId", "user", "notReplayed", "limit"])
      expect(refusal(await rig.post("/api/replay-jobs/preview", { [name]: "x" }))).toEqual([
        ...[400, "bad-replay", expect.stringMatching(`^${name}: expected one of state, `)],
      ]);
    expect(refusal(await rig.post("/api/replay-jobs/preview", { state: ["dead", "waiting"] }))).toEqual([
      ...[400, "bad-replay", "state: expected a list of one or several of dead, delivered"],
    ]);
  });
});

describe("POST /api/replay-jobs", () => {
  it("starts a job, which is listed, shown, and done", async () => {
    const rig = await withDead(7);
    const told = await rig.post("/api/replay-jobs", {});
    const { id } = told.body as JobBody;
    expect(told).toMatchObject({ status: 202, body: { state: "running", expected: 7, replayed: 0, endedAt: null } });
    await rig.clock.advance(10_000);
    const shown = await rig.get(`/api/replay-jobs/${id}`);
    expect(shown).toMatchObject({ status: 200, body: { id, state: "done", expected: 7, replayed: 7, skipped: 0 } });
    expect((await rig.get("/api/replay-jobs")).body).toEqual({ jobs: [shown.body] });
    expect((await rig.get("/api/deliveries/count?state=dead")).body).toMatchObject({ count: 14 });
  });

  it("is refused for a destination that the settings do not have", async () => {
    const rig = await withDead(1);
    expect(refusal(await rig.post("/api/replay-jobs", { destination: "elsewhere" }))).toEqual([
      ...[409, "destination-removed", "the destination is not in the settings"],
    ]);
  });

  it("is refused by a store that keeps no replay jobs, and of a relay that is stopped", async () => {
    const bare = createRig({ wrap: ({ records: _left, ...store }) => store });
    const refused = [501, "not-supported", "the store of this server does not support replay jobs"];
    expect(refusal(await bare.post("/api/replay-jobs", {}))).toEqual(refused);
    expect(refusal(await bare.get("/api/replay-jobs"))).toEqual(refused);
    const stopped = createRig();
    await stopped.relay.stop();
    expect((await stopped.post("/api/replay-jobs", {})).status).toBe(503);
  });
});

describe("POST /api/replay-jobs/ID/cancel", () => {
  it("ends a running job, and leaves one that has ended as it was", async () => {
    const rig = await withDead(3);
    const { id } = (await rig.post("/api/replay-jobs", {})).body as JobBody;
    const cancelled = await rig.post(`/api/replay-jobs/${id}/cancel`);
    expect(["cancelled", "done"]).toContain((cancelled.body as JobBody).state);
    await rig.clock.advance(10_000);
    const after = await rig.post(`/api/replay-jobs/${id}/cancel`);
    expect(after.body).toEqual((await rig.get(`/api/replay-jobs/${id}`)).body);
  });

  it("answers 404 for a job that does not exist", async () => {
    const rig = createRig();
    const refused = [404, "not-found", "there is no such replay job, or it was removed"];
    expect(refusal(await rig.post("/api/replay-jobs/elsewhere/cancel"))).toEqual(refused);
    expect(refusal(await rig.get("/api/replay-jobs/elsewhere"))).toEqual(refused);
  });
});
