import { describe, expect, it } from "vitest";
import { createRig, type Rig, type Told } from "./rig.js";

function refusal({ status, body }: Told): unknown {
  const { error } = body as { readonly error: { readonly code: string; readonly message: string } };
  return [status, error.code, error.message];
}

/** The destinations are gone from the settings. */
function removeAll(rig: Rig): void {
  rig.relay.configure({ ...rig.relay.workspace(), destinations: [] })._unsafeUnwrap();
}

describe("POST /api/lanes/ID/pause and resume", () => {
  it("pause the lane and end the pause, and answer the lane each time", async () => {
    const rig = createRig();
    const paused = await rig.post("/api/lanes/crm/pause");
    expect(paused).toMatchObject({ status: 200, body: { destination: "crm", mode: "paused", pausedBy: ["operator"] } });
    await rig.track();
    await rig.clock.advance(60_000);
    expect(rig.requests()).toEqual([]);
    expect((await rig.get("/api/lanes")).body).toMatchObject({ lanes: [{ mode: "paused", deliveries: 1 }] });
    const resumed = await rig.post("/api/lanes/crm/resume", { ignored: true });
    expect(resumed).toMatchObject({ status: 200, body: { mode: "open", pausedBy: [] } });
    await rig.clock.advance(1_000);
    expect(rig.requests()).toHaveLength(1);
  });

  it("are refused for a destination that is unknown, and by a store that keeps no pauses", async () => {
    const rig = createRig();
    for (const request of ["pause", "resume", "probe"])
      expect(refusal(await rig.post(`/api/lanes/elsewhere/${request}`))).toEqual([
        ...[404, "not-found", "there is no such destination in the settings"],
      ]);
    const bare = createRig({ wrap: ({ records: _left, ...store }) => store });
    expect(refusal(await bare.post("/api/lanes/crm/pause"))).toEqual([
      ...[501, "not-supported", "the store of this server does not support pauses"],
    ]);
  });

  it("answer 503 once the relay is stopped", async () => {
    const rig = createRig();
    await rig.relay.stop();
    expect((await rig.post("/api/lanes/crm/pause")).status).toBe(503);
  });
});

describe("POST /api/lanes/ID/probe", () => {
  it("is refused for a lane that is not held, with its mode in words", async () => {
    const rig = createRig();
    expect(refusal(await rig.post("/api/lanes/crm/probe"))).toEqual([
      ...[409, "not-probed", "the destination is sent to: it sends no probes"],
    ]);
    await rig.post("/api/lanes/crm/pause");
    expect(refusal(await rig.post("/api/lanes/crm/probe"))).toEqual([
      ...[409, "not-probed", "the destination is paused: it sends no probes"],
    ]);
  });

  it("has a held lane probed at once", async () => {
    let status = 503;
    const rig = createRig({ script: () => ({ kind: "answers", status }) });
    for (let call = 0; call < 60; call += 1) await rig.track({ messageId: `m${String(call)}` });
    await rig.clock.advance(120_000);
    expect((await rig.get("/api/lanes")).body).toMatchObject({ lanes: [{ mode: "held" }] });
    status = 200;
    expect(await rig.post("/api/lanes/crm/probe")).toMatchObject({ status: 200, body: { mode: "held" } });
    await rig.clock.advance(100);
    expect((await rig.get("/api/lanes")).body).toMatchObject({ lanes: [{ mode: "open" }] });
  });
});

describe("POST /api/lanes/ID/forget", () => {
  it("ends what waits for a destination that is gone, and answers how much", async () => {
    const rig = createRig({ script: () => ({ kind: "answers", status: 503 }) });
    for (let call = 0; call < 3; call += 1) await rig.track({ messageId: `m${String(call)}` });
    expect(refusal(await rig.post("/api/lanes/crm/forget"))).toEqual([
      ...[409, "destination-in-force", "the settings have this destination: remove it from them first"],
    ]);
    removeAll(rig);
    expect(await rig.post("/api/lanes/crm/forget")).toMatchObject({ status: 200, body: { ended: 3 } });
    expect(await rig.post("/api/lanes/crm/forget")).toMatchObject({ status: 200, body: { ended: 0 } });
    const { body } = await rig.get("/api/deliveries?destination=crm&state=dead");
    expect((body as { readonly deliveries: readonly unknown[] }).deliveries).toHaveLength(3);
  });
});
