// Requests that another site makes a browser send (cross-site request forgery), with the cookie, as if the browser sent it.

import { describe, expect, it } from "vitest";
import { createConsoleRig, HERE } from "./rig.js";

const ELSEWHERE = "https://evil.example";

/** The headers with which browsers send what another site asks for. */
const FORGED: readonly (readonly [how: string, headers: Readonly<Record<string, string>>])[] = [
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
  ["an older browser", { origin: ELSEWHERE, "sec-fetch-site": "" }],
  ["a frame without an origin", { origin: "null", "sec-fetch-site": "cross-site" }],
  ["a beacon", { origin: ELSEWHERE, "sec-fetch-site": "cross-site", "content-type": "text/plain;charset=UTF-8" }],
  ["JSON under another name", { "content-type": "text/plain; application/json" }],
  ["no type at all", { "content-type": "" }],
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
    const sent = headers["sec-fetch-site"] === "" ? { ...headers, "sec-fetch-site": "unknown" } : headers;
    const told = await rig.ask(method, path, { cookie, body: {}, headers: sent });
    expect(told).toMatchObject({ status: 403, body: { code: "foreign-site" } });
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
