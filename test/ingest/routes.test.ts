import { describe, expect, it } from "vitest";
import { methodOf, routeOf } from "../../packages/http/src/ingest/routes.js";

describe("routeOf", () => {
  it.each([
    ["identify", "i"],
    ["track", "t"],
    ["page", "p"],
    ["screen", "s"],
    ["group", "g"],
    ["alias", "a"],
  ])("knows %s by its name and by its first letter", (call, letter) => {
    expect(routeOf(`/v1/${call}`)).toEqual({ kind: "call", call });
    expect(routeOf(`/v1/${letter}`)).toEqual({ kind: "call", call });
  });

  it.each(["batch", "import", "b"])("reads /v1/%s as a batch", (name) => {
    expect(routeOf(`/v1/${name}`)).toEqual({ kind: "batch" });
  });

  it("reads /beacon/v1/batch as a batch too", () => {
    expect(routeOf("/beacon/v1/batch")).toEqual({ kind: "batch", isBeacon: true });
    expect(routeOf("/beacon/v1/track")).toBeUndefined();
  });

  it("reads the key out of the path of the settings", () => {
    expect(routeOf("/v1/projects/wk%20%C3%A9/settings")).toEqual({ kind: "settings", writeKey: "wk é" });
  });

  it.each([
    "/",
    "/v1",
    "/v1/",
    "/v1/delete",
    "/v1/Track",
    "/v2/track",
    "/v1/constructor",
    "/v1/projects//settings",
    "/v1/projects/a/b/settings",
    "/v1/projects/%E0%A4%A/settings",
    "",
  ])("knows nothing at %j", (path) => {
    expect(routeOf(path)).toBeUndefined();
  });

  it.each(["//v1/track", "/v1//track", "/v1/track/"])("reads %j as /v1/track", (path) => {
    expect(routeOf(path)).toEqual({ kind: "call", call: "track" });
  });

  it("answers GET for the settings and POST for the rest", () => {
    expect(methodOf({ kind: "settings", writeKey: "k" })).toBe("GET");
    expect(methodOf({ kind: "batch" })).toBe("POST");
    expect(methodOf({ kind: "call", call: "track" })).toBe("POST");
  });
});
