import { createSecret, type Secret } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OLD_SECRET, TOKEN, VIEWER_TOKEN } from "../canary.js";
import { cookieIn, createConsoleRig } from "./rig.js";

const HOUR_MS = 3_600_000;
const SECURE = { origin: "https://postrider.example", host: "postrider.example" };

describe("a login at the console", () => {
  it.each([
    ["operator", TOKEN, true],
    ["viewer", VIEWER_TOKEN, false],
  ])("makes a person with that token an %s", async (role, token, canSeeBodies) => {
    const rig = createConsoleRig();
    const told = await rig.ask("POST", "/session", { body: { token } });
    expect(told).toMatchObject({ status: 200, body: { name: role, role } });
    expect([told.text, told.headers.get("set-cookie")].join()).not.toContain(token);
    const session = await rig.ask("GET", "/session", { cookie: cookieIn(told) });
    expect(session.body).toEqual({ name: role, role, canSeeBodies });
  });

  it.each([
    {},
    { token: "" },
    { token: "wrong" },
    { token: [TOKEN] },
    { code: "wrong" },
    { code: 7 },
    "text",
    null,
    undefined,
  ])("is refused with %j, and told to the host", async (body) => {
    const rig = createConsoleRig();
    const told = await rig.ask("POST", "/session", { body });
    expect(told).toMatchObject({ status: 401, body: { code: "wrong-login" } });
    expect(told.headers.has("set-cookie")).toBe(false);
    expect(rig.wrongTokens()).toBe(1);
  });

  it("has no other way than GET, POST and DELETE", async () => {
    const told = await createConsoleRig().ask("PUT", "/session", { body: { token: TOKEN } });
    expect([told.status, told.headers.get("allow")]).toEqual([405, "GET, POST, DELETE"]);
  });

  it("is slowed down for an address that guesses, and for no other", async () => {
    const rig = createConsoleRig();
    const guess = (remoteAddress: string) =>
      rig.ask("POST", "/session", { body: { token: "wrong" }, from: { remoteAddress } });
    const statuses = [];
    for (let guesses = 0; guesses < 150; guesses += 1) statuses.push((await guess("203.0.113.7")).status);
    expect(statuses.slice(0, 90).every((status) => status === 401)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
    expect((await guess("198.51.100.1")).status).toBe(401);
  });

  it("is slowed down for all callers without an address together, and never for the right token or code", async () => {
    const rig = createConsoleRig();
    const code = rig.console.loginPath()!.replace("#login=", "");
    const statuses = [];
    for (let guesses = 0; guesses < 150; guesses += 1)
      statuses.push((await rig.ask("POST", "/session", { body: { token: "wrong" } })).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await rig.ask("POST", "/session", { body: { code: "wrong" } })).status).toBe(429);
    expect((await rig.ask("POST", "/session", { body: { code } })).status).toBe(200);
    expect((await rig.ask("POST", "/session", { body: { token: TOKEN } })).status).toBe(200);
    expect((await rig.ask("POST", "/session", { body: { code } })).status).toBe(429);
  });

  it("leaves a one-time address as it was if there is no token to begin a session with", async () => {
    const tokens: { operator: Secret | undefined } = { operator: undefined };
    const rig = createConsoleRig({ console: { authenticate: { operator: () => tokens.operator } } });
    const code = rig.console.loginPath()!.replace("#login=", "");
    expect((await rig.ask("POST", "/session", { body: { code } })).status).toBe(401);
    tokens.operator = createSecret(TOKEN);
    expect((await rig.ask("POST", "/session", { body: { code } })).status).toBe(200);
  });

  it("works once by a one-time address, for ten minutes", async () => {
    const rig = createConsoleRig();
    const draw = (): string => rig.console.loginPath()!.replace("#login=", "");
    const [used, old] = [draw(), draw()];
    expect((await rig.ask("POST", "/session", { body: { code: used } })).body).toMatchObject({ role: "operator" });
    expect((await rig.ask("POST", "/session", { body: { code: used } })).status).toBe(401);
    await rig.clock.advance(600_000);
    expect((await rig.ask("POST", "/session", { body: { code: old } })).status).toBe(401);
  });

  it("keeps the sixteen latest one-time addresses", async () => {
    const rig = createConsoleRig();
    const codes = Array.from({ length: 17 }, () => rig.console.loginPath()!.replace("#login=", ""));
    const statuses = [];
    for (const code of codes) statuses.push((await rig.ask("POST", "/session", { body: { code } })).status);
    expect(statuses).toEqual([401, ...Array.from({ length: 16 }, () => 200)]);
  });
});

describe("the cookie of a session", () => {
  it("is kept from scripts, other sites and other hosts, and from plain text where the page came over TLS", async () => {
    const rig = createConsoleRig();
    const plain = await rig.ask("POST", "/session", { body: { token: TOKEN } });
    const secure = await rig.ask("POST", "/session", { body: { token: TOKEN }, headers: SECURE });
    const rest = /; HttpOnly; SameSite=Strict; Max-Age=43200$/;
    expect(plain.headers.get("set-cookie")).toMatch(/^postrider=[^;]+; Path=\/;/);
    expect(plain.headers.get("set-cookie")).toMatch(rest);
    expect(plain.headers.get("cache-control")).toBe("no-store");
    expect(secure.headers.get("set-cookie")).toMatch(/^__Host-postrider=[^;]+; Secure; Path=\/;/);
    expect(secure.headers.get("set-cookie")).toMatch(rest);
    expect((await rig.ask("GET", "/session", { cookie: cookieIn(secure) })).status).toBe(200);
  });

  it.each([
    "http://postrider.example",
    "http://192.168.1.7:8080",
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example",
    "http://evil-localhost",
    "null",
    "",
  ])("is never set for a page from %j, which comes in plain text over a network", async (origin) => {
    const told = await createConsoleRig().ask("POST", "/session", { body: { token: TOKEN }, headers: { origin } });
    expect(told).toMatchObject({ status: 403, body: { code: "unsafe-login" } });
    expect(told.headers.has("set-cookie")).toBe(false);
  });

  it.each(["http://localhost:8080", "http://127.0.0.1", "http://[::1]:9", "http://app.localhost"])(
    "is set for a page from %s, which is this machine",
    async (origin) => {
      expect(
        (await createConsoleRig().ask("POST", "/session", { body: { token: TOKEN }, headers: { origin } })).status,
      ).toBe(200);
    },
  );

  it("ends after twelve hours", async () => {
    const rig = createConsoleRig();
    const cookie = await rig.logIn();
    await rig.clock.advance(12 * HOUR_MS - 1);
    expect((await rig.ask("GET", "/session", { cookie })).status).toBe(200);
    await rig.clock.advance(1);
    expect((await rig.ask("GET", "/session", { cookie })).status).toBe(401);
  });

  it("ends with the token that it was made with", async () => {
    const tokens: { operator: Secret | undefined } = { operator: createSecret(TOKEN) };
    const rig = createConsoleRig({ console: { authenticate: { operator: () => tokens.operator } } });
    const cookie = await rig.logIn();
    expect((await rig.ask("GET", "/session", { cookie })).status).toBe(200);
    tokens.operator = createSecret(OLD_SECRET);
    expect((await rig.ask("GET", "/session", { cookie })).status).toBe(401);
    tokens.operator = undefined;
    expect((await rig.ask("GET", "/session", { cookie })).status).toBe(401);
  });

  it("is sent in plain text to the paths of the console alone", async () => {
    const rig = createConsoleRig({ console: { basePath: "/console" } });
    const told = await rig.ask("POST", "/console/session", { body: { token: TOKEN }, from: { mountPath: "/admin" } });
    expect(told.headers.get("set-cookie")).toContain("; Path=/admin/console/;");
  });

  it("counts though a stale one of the other name comes along", async () => {
    const rig = createConsoleRig();
    const cookie = await rig.logIn();
    expect((await rig.ask("GET", "/session", { cookie: `__Host-postrider=operator.1.a.b; ${cookie}` })).status).toBe(
      200,
    );
  });

  it("is taken back at the end of a session", async () => {
    const rig = createConsoleRig();
    const told = await rig.ask("DELETE", "/session", { cookie: await rig.logIn() });
    expect(told.headers.get("set-cookie")).toMatch(/^postrider=;.*Max-Age=0$/);
  });

  it("is good on another server with the same token", async () => {
    const [one, other] = [createConsoleRig(), createConsoleRig()];
    expect((await other.ask("GET", "/session", { cookie: await one.logIn() })).status).toBe(200);
  });

  it("opens nothing once any character of it was changed", async () => {
    const rig = createConsoleRig();
    const cookie = await rig.logIn(VIEWER_TOKEN);
    await fc.assert(
      fc.asyncProperty(fc.nat(cookie.length - 1), fc.string({ minLength: 1, maxLength: 1 }), async (at, character) => {
        const changed = cookie.slice(0, at) + character + cookie.slice(at + 1);
        fc.pre(changed !== cookie && !isSameBytes(changed, cookie));
        expect((await rig.ask("GET", "/session", { cookie: changed })).status).toBe(401);
      }),
    );
    for (const longer of [cookie.replace("viewer.", "xviewer."), `${cookie}x`])
      expect((await rig.ask("GET", "/session", { cookie: longer })).status).toBe(401);
    const asOperator = cookie.replace("viewer.", "operator.");
    expect((await rig.ask("GET", "/session", { cookie: asOperator })).status).toBe(401);
  });
});

/** Blanks around a value are no part of it. */
function isSameBytes(one: string, other: string): boolean {
  return one.trim() === other.trim();
}

describe("a host with people of another kind", () => {
  it("checks each request itself, and there is no login here", async () => {
    const seen: string[] = [];
    const rig = createConsoleRig({
      console: {
        authenticate: ({ headers, path }) => {
          seen.push(path);
          return headers.get("x-user") === undefined ? undefined : { name: "Ada", role: "operator" };
        },
      },
    });
    const stranger = await rig.ask("GET", "/session");
    expect([stranger.status, stranger.body]).toMatchObject([
      401,
      { code: "not-logged-in", message: expect.stringContaining("the program around this page") },
    ]);
    expect((await rig.ask("GET", "/session", { headers: { "x-user": "ada" } })).body).toMatchObject({ name: "Ada" });
    expect((await rig.ask("GET", "/api/lanes", { headers: { "x-user": "ada" } })).status).toBe(200);
    expect((await rig.ask("POST", "/session", { body: { token: TOKEN } })).status).toBe(404);
    expect(rig.console.loginPath()).toBeUndefined();
    expect(rig.console.knows?.({ method: "GET", path: "/", query: "", headers: new Map() })).toBe(false);
    expect(seen).toEqual(["/session", "/session", "/api/lanes"]);
  });
});

describe("a request without a session", () => {
  it.each(["/api/lanes", "/api/deliveries", "/api/openapi.json", "/healthz", "/api/nothing"])(
    "gets nothing of %s",
    async (path) => {
      expect(await createConsoleRig().ask("GET", path)).toMatchObject({ status: 401, body: { code: "not-logged-in" } });
    },
  );

  it("is not known, so that its body counts as that of a stranger", async () => {
    const rig = createConsoleRig();
    const cookie = await rig.logIn();
    const head = (headers: Readonly<Record<string, string>>) =>
      rig.console.knows?.({
        method: "POST",
        path: "/api/replay",
        query: "",
        headers: new Map(Object.entries(headers)),
      });
    expect([head({}), head({ cookie: "postrider=operator.1.a.b" }), head({ cookie })]).toEqual([false, false, true]);
  });
});
