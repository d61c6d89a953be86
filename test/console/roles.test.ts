import type { Authenticate } from "@postrider/console";
import type { SettingsDesk } from "@postrider/http/api";
import { describe, expect, it } from "vitest";
import { createDesk } from "../api/contract/desk.js";
import { VIEWER_TOKEN } from "../canary.js";
import { API_DOCUMENT } from "./api-document.js";
import { createConsoleRig } from "./rig.js";

/** What a viewer may ask although it has a body: it changes nothing. */
const READS = ["POST /api/replay-jobs/preview"];
const CONTENT = [
  "GET /api/users/{id}/export",
  "GET /api/deliveries/{id}/requests",
  "POST /api/deliveries/{id}/message",
];

const ROUTES = [
  ...Object.entries(API_DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  ),
  "POST /api/deliveries/{id}/message",
].filter((route) => route.includes("/api/"));

describe("a viewer", () => {
  it.each(ROUTES)("asking %s is refused if that changes something or shows the content of messages", async (route) => {
    const rig = createConsoleRig();
    const cookie = await rig.logIn(VIEWER_TOKEN);
    const [method = "", path = ""] = route.split(" ");
    const told = await rig.ask(method, path.replace(/\{\w+\}/, "1"), { cookie, body: {} });
    const isAllowed = (method === "GET" || READS.includes(route)) && !CONTENT.includes(route);
    expect(told.status === 403, told.text).toBe(!isAllowed);
    if (!isAllowed) expect(told.body).toMatchObject({ code: "forbidden" });
    expect(rig.actions).toEqual([]);
  });

  it("is tried at all of the API", () => {
    expect(ROUTES.length).toBeGreaterThan(35);
  });
});

describe("what the table of the API does not say", () => {
  it.each(["GET /api/nothing", "GET /api/deliveries/1/nothing", "HEAD /api/lanes", "PUT /api/lanes", "GET /api/"])(
    "is closed to viewers, such as %s",
    async (route) => {
      const rig = createConsoleRig();
      const [method = "", path = ""] = route.split(" ");
      expect((await rig.ask(method, path, { cookie: await rig.logIn(VIEWER_TOKEN), body: {} })).status).toBe(403);
      expect((await rig.ask(method, path, { cookie: await rig.logIn(), body: {} })).status).toBeOneOf([404, 405]);
    },
  );

  it("is no change that is told", async () => {
    const rig = createConsoleRig();
    await rig.ask("POST", "/api/nothing", { cookie: await rig.logIn(), body: {} });
    expect(rig.actions).toEqual([]);
  });
});

describe("an operator", () => {
  it("changes the settings under the name that the host knows, whatever the page says", async () => {
    const actors: unknown[] = [];
    const put: SettingsDesk["put"] = ({ actor }) => {
      actors.push(actor);
      return Promise.resolve({ kind: "stored", revision: 8 });
    };
    const authenticate: Authenticate = () => ({ name: "Ada & Bea", role: "operator" });
    const rig = createConsoleRig({ console: { authenticate, desk: { ...createDesk(), put } } });
    const headers = { "if-match": '"7"' };
    for (const query of ["", "?actor=eve"])
      expect((await rig.ask("PUT", `/api/settings${query}`, { body: { sources: [] }, headers })).status).toBe(200);
    expect(actors).toEqual(["Ada & Bea", "Ada & Bea"]);
  });

  it("may do what the API can, and each change is told", async () => {
    const rig = createConsoleRig();
    const cookie = await rig.logIn();
    const from = { remoteAddress: "198.51.100.1" };
    expect((await rig.ask("POST", "/api/lanes/crm/pause", { cookie, body: {}, from })).status).toBe(200);
    expect((await rig.ask("GET", "/api/lanes", { cookie })).body).toMatchObject({
      lanes: [{ pausedBy: ["operator"] }],
    });
    await rig.ask("POST", "/api/replay-jobs/preview", { cookie, body: {} });
    const user = { name: "operator", role: "operator" };
    expect(rig.actions).toEqual([{ user, method: "POST", path: "/api/lanes/crm/pause", status: 200, ...from }]);
  });
});
