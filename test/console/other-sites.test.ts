// Requests that another site makes a browser send (cross-site request forgery), with the cookie, as if the browser sent it.

import { describe, expect, it } from "vitest";
import { createConsoleRig, HERE } from "./rig.js";

const ELSEWHERE = "https://evil.example";

/** The headers with which browsers send what another site asks for. */
const FORGED: readonly (readonly [how: string, headers: Readonly<Record<string, string | undefined>>])[] = [
  [
    "a form of another site",
    { origin: ELSEWHERE, "sec-fetch-site": "cross-site", "content-type": "application/x-www-form-urlencoded" },
  ],
  [
    "a form that sends JSON as text",
    { origin: ELSEWHERE, "sec-fetch-site": "cross-site", "content-type": "text/plain" },
  ],
  ["a script of another site", { origin: ELSEWHERE, "sec-fetch-site": "cross-site" }],
  ["a page of a neighbour", { origin: "http://127.0.0.1:9999", "sec-fetch-site": "same-site" }],
  ["a browser with a new word for the site", { origin: ELSEWHERE, "sec-fetch-site": "unknown" }],
  ["a frame without an origin", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["a beacon", { origin: ELSEWHERE, "sec-fetch-site": "cross-site", "content-type": "text/plain;charset=UTF-8" }],
  ["JSON under another name", { "content-type": "text/plain; application/json" }],
  ["no type at all", { "content-type": undefined }],
  ["an older browser that tells no site", { origin: ELSEWHERE, "sec-fetch-site": undefined }],
  ["an older browser at another port", { origin: "http://127.0.0.1:9999", "sec-fetch-site": undefined }],
  ["an older browser that hides the origin", { origin: "null", "sec-fetch-site": undefined }],
  ["a caller that tells neither site nor origin", { origin: undefined, "sec-fetch-site": undefined }],
  ["a caller that names no host", { host: undefined, "sec-fetch-site": undefined }],
  ["an address that was typed in", { origin: HERE, "sec-fetch-site": "none" }],
];

const CHANGES = [
  ["POST", "/api/lanes/crm/pause"],
  ["POST", "/api/replay-jobs"],
  ["POST", "/api/replay-jobs/preview"],
  ["POST", "/api/deletions"],
  ["PUT", "/api/settings"],
  ["POST", "/api/deliveries/1/message"],
  ["POST", "/session"],
  ["DELETE", "/session"],
] as const;

describe.each(FORGED)("%s", (_, headers) => {
  it.each(CHANGES)("cannot ask %s %s", async (method, path) => {
    const rig = createConsoleRig();
    const cookie = await rig.logIn();
    const told = await rig.ask(method, path, { cookie, body: {}, headers });
    expect(told).toMatchObject({ status: 403, body: { code: "foreign-site" } });
    expect(told.body).toMatchObject({ message: expect.stringContaining("Content-Type: application/json") });
    expect(rig.actions).toEqual([]);
  });
});

describe("another site", () => {
  it.each(["cross-site", "same-site"])("that is %s reads no data with the cookie", async (site) => {
    const rig = createConsoleRig();
    const cookie = await rig.logIn();
    const told = await rig.ask("GET", "/api/deliveries", { cookie, headers: { "sec-fetch-site": site } });
    expect(told).toMatchObject({ status: 403, body: { code: "foreign-site" } });
  });
});

describe("the page itself", () => {
  it.each(["127.0.0.1:8080", "POSTRIDER.example"])(
    "may change something in an older browser, which tells only the origin, at the host %s",
    async (host) => {
      const rig = createConsoleRig();
      const headers = { origin: `http://${host.toLowerCase()}`, host, "sec-fetch-site": undefined };
      const told = await rig.ask("POST", "/api/lanes/crm/pause", { cookie: await rig.logIn(), body: {}, headers });
      expect(told.status).toBe(200);
    },
  );

  it.each(["same-origin", "none", undefined])(
    "reads data without a type of content, from the site %s",
    async (site) => {
      const rig = createConsoleRig();
      const headers = { "sec-fetch-site": site, "content-type": undefined };
      expect((await rig.ask("GET", "/api/lanes", { cookie: await rig.logIn(), headers })).status).toBe(200);
    },
  );
});
