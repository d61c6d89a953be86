// The answers about the settings of a host, which is the desk of the contract with the changes of a test.

import type { SettingsDesk } from "@postrider/http/api";
import { describe, expect, it } from "vitest";
import { createDesk } from "./contract/desk.js";
import { createRig } from "./rig.js";

const withDesk = (changes: Partial<SettingsDesk> = {}) => createRig({ api: { desk: { ...createDesk(), ...changes } } });

describe("GET /api/settings", () => {
  it("shows who has changed the settings and when, with the revision as the tag that a change has to name", async () => {
    const { status, body, headers } = await withDesk().get("/api/settings");
    expect([status, headers.get("etag")]).toEqual([200, '"7"']);
    expect(body).toMatchObject({ owner: "store", revision: 7, actor: "ann", changedAt: "2026-01-01T00:00:00.000Z" });
    expect(body).toMatchObject({ locked: ["notify"], inForce: 6, refused: { revision: 7 }, document: { sources: [] } });
  });

  it("shows the settings of a file without a revision, an author or a time", async () => {
    const rig = withDesk({
      owner: "file",
      inForce: () => undefined,
      refused: () => undefined,
      show: () => Promise.resolve({ document: { sources: [] } }),
    });
    const { body, headers } = await rig.get("/api/settings");
    expect(headers.get("etag")).toBe('"file"');
    expect(body).toMatchObject({ owner: "file", revision: null, actor: null, changedAt: null });
    expect(body).toMatchObject({ inForce: null, refused: null });
  });

  it("is 404 for a revision that is not kept, and 503 only if the store fails", async () => {
    const unkept = await withDesk().get("/api/settings?revision=8");
    expect([unkept.status, unkept.body]).toMatchObject([404, { code: "not-found" }]);
    const failing = await withDesk({ show: () => Promise.reject(new Error("no")) }).get("/api/settings?revision=7");
    expect([failing.status, failing.body]).toMatchObject([503, { code: "store-unavailable" }]);
  });
});
