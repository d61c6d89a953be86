import { describe, expect, it } from "vitest";
import { VIEWER_TOKEN } from "../canary.js";
import { createConsoleRig } from "./rig.js";

const PRIVATE = { properties: { iban: "DE02120300000000202051" } };

describe("the message of a delivery", () => {
  it("is in no answer until it is asked for, and that is told", async () => {
    const rig = createConsoleRig();
    const id = await rig.track(PRIVATE);
    const cookie = await rig.logIn();
    const shown = await rig.ask("GET", `/api/deliveries/${id}`, { cookie });
    expect(shown.body).toMatchObject({ id, message: null, hasMessage: true });
    for (const path of ["", "/why"]) {
      expect((await rig.ask("GET", `/api/deliveries/${id}${path}`, { cookie })).text).not.toContain("DE0212");
    }
    expect(rig.actions).toEqual([]);
    const requests = await rig.ask("GET", `/api/deliveries/${id}/requests`, { cookie });
    expect(requests.text).toContain("DE0212");
    const message = await rig.ask("POST", `/api/deliveries/${id}/message`, { cookie, body: {} });
    expect(message.body).toMatchObject({ message: { userId: "u1", ...PRIVATE } });
    expect(rig.actions).toMatchObject([
      { method: "GET", path: `/api/deliveries/${id}/requests`, status: 200 },
      { method: "POST", path: `/api/deliveries/${id}/message`, status: 200 },
    ]);
  });

  it("is not shown to viewers, unless the host lets them", async () => {
    const strict = createConsoleRig();
    const lax = createConsoleRig({ console: { canSeeBodies: () => true } });
    const statuses = [];
    for (const rig of [strict, lax]) {
      const id = await rig.track(PRIVATE);
      const cookie = await rig.logIn(VIEWER_TOKEN);
      statuses.push((await rig.ask("POST", `/api/deliveries/${id}/message`, { cookie, body: {} })).status);
    }
    expect(statuses).toEqual([403, 200]);
  });

  it("does not reach viewers by the answer of a receiver that repeats it", async () => {
    const echo = new TextEncoder().encode("you sent DE02120300000000202051");
    const rig = createConsoleRig({ script: () => ({ kind: "answers", status: 404, excerpt: echo }) });
    const id = await rig.track(PRIVATE);
    const asked = (cookie: string, path = "") => rig.ask("GET", `/api/deliveries/${id}${path}`, { cookie });
    expect((await asked(await rig.logIn())).text).toContain("DE0212");
    for (const path of ["", "/why"]) {
      const told = await asked(await rig.logIn(VIEWER_TOKEN), path);
      expect(told.status).toBe(200);
      expect(told.text).not.toContain("DE0212");
    }
  });

  it("of a delivery that does not exist is not found, and asking for it is told too", async () => {
    const rig = createConsoleRig();
    const cookie = await rig.logIn();
    const asked = await rig.ask("POST", "/api/deliveries/none/message", { cookie, body: {} });
    expect(asked).toMatchObject({ status: 404, body: { code: "not-found" } });
    expect((await rig.ask("GET", "/api/deliveries/none", { cookie })).body).not.toHaveProperty("hasMessage");
    expect(rig.actions).toMatchObject([{ status: 404 }]);
  });

  it("has one path, and none below it", async () => {
    const rig = createConsoleRig();
    const id = await rig.track(PRIVATE);
    const told = await rig.ask("POST", `/api/deliveries/${id}/message/all`, { cookie: await rig.logIn(), body: {} });
    expect(told.status).toBe(404);
    expect(told.text).not.toContain("DE0212");
  });

  it("leaves counting deliveries as it is", async () => {
    const rig = createConsoleRig();
    const cookie = await rig.logIn();
    const told = await rig.ask("GET", "/api/deliveries/count", { cookie });
    expect(told).toMatchObject({ status: 200 });
    expect(told.body).not.toHaveProperty("hasMessage");
  });
});
