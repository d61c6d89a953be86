import { describe, expect, it } from "vitest";
import { createRig } from "./rig.js";

describe("GET /api/version", () => {
  it("shows the version that the host tells, and those of the API and the config", async () => {
    const { body } = await createRig({ api: { program: "1.2.3" } }).get("/api/version");
    expect(body).toEqual({ program: "1.2.3", api: 1, config: 1 });
  });

  it("shows null where the host tells none", async () => {
    expect(await createRig().get("/api/version")).toMatchObject({ status: 200, body: { program: null } });
  });
});
