import { describe, expect, it } from "vitest";
import { request } from "../http/request.js";
import { createRig } from "./rig.js";

describe("GET /api/version", () => {
  it("shows the version that the host tells, and those of the API and the config", async () => {
    const { body } = await createRig({ api: { program: "1.2.3", server: "a/1" } }).get("/api/version");
    expect(body).toEqual({ program: "1.2.3", server: "a/1", api: 1, config: 1 });
  });

  it("is one of the answers that name the server, which those without the token do not", async () => {
    const rig = createRig({ api: { server: "a/1" } });
    for (const path of ["/api/version", "/api/stats", "/api/lanes"])
      expect((await rig.get(path)).headers.get("postrider-server")).toBe("a/1");
    for (const path of ["/healthz", "/api/version"])
      expect((await rig.send(request("GET", path))).headers.has("postrider-server")).toBe(false);
  });

  it("shows null where the host tells none", async () => {
    const rig = createRig();
    expect((await rig.get("/api/version")).headers.has("postrider-server")).toBe(false);
    expect(await rig.get("/api/version")).toMatchObject({ status: 200, body: { program: null, server: null } });
  });
});
