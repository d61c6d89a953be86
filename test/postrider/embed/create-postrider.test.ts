// Postrider inside a host program, as its users have it: real SQLite, real sockets, and the types of its calls.

import { createMemoryDisk, createMemoryStore } from "@postrider/memory";
import type { HttpPort, OptionsError } from "@postrider/core";
import type { LogEntry, RelayEvent } from "@postrider/relay";
import { createServer } from "node:http";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createPostrider,
  type Postrider,
  type PostriderOptions,
  type PostriderSettings,
} from "../../../packages/postrider/src/index.js";
import { SECRET, TOKEN, WRITE_KEY } from "../../canary.js";
import { close, listen } from "../../loopback.js";
import { tempFolder } from "../config-file.js";
import { receiverOf } from "../server.js";

const BASIC = `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}`;
const QUIET = { log: () => undefined };

function settings(url: string, changes: Partial<PostriderOptions<"website">> = {}): PostriderOptions<"website"> {
  return {
    store: "memory:",
    logger: QUIET,
    sources: [{ id: "website", writeKey: WRITE_KEY }],
    destinations: [{ id: "crm", sources: ["website"], endpoints: [{ url: `${url}/hook` }], sharedSecret: SECRET }],
    network: { allow: ["127.0.0.0/8"] },
    ...changes,
  };
}

/** Created with these options; closed after the test. */
async function embedded<const Name extends string>(options: PostriderOptions<Name>): Promise<Postrider<Name>> {
  const postrider = await createPostrider(options);
  onTestFinished(() => postrider.close());
  return postrider;
}

async function problemsOf(creation: Promise<unknown>): Promise<readonly (readonly string[])[]> {
  const error = (await creation.then(
    () => expect.unreachable("it was created"),
    (thrown: unknown) => thrown,
  )) as OptionsError;
  expect(error).toBeInstanceOf(Error);
  expect(error.code).toBe("bad-options");
  return error.problems.map(({ path, expected }) => [path, expected]);
}

describe("createPostrider", () => {
  it("stores and delivers a typed call of each kind, and answers each with its receipt", async () => {
    const receiver = await receiverOf();
    const file = join(tempFolder(), "p.db");
    const postrider = await embedded(settings(receiver.url, { store: `sqlite:${file}` }));
    const answers = await Promise.all([
      postrider.identify("website", { userId: "u1", traits: { plan: "pro" } }),
      postrider.track("website", { userId: "u1", event: "Signed Up", timestamp: new Date() }),
      postrider.page("website", { userId: 7, name: "Home", properties: { a: 1 }, traits: { a: 2, b: 3 } }),
      postrider.screen("website", { anonymousId: "a1", name: "Start" }),
      postrider.group("website", { userId: "u1", groupId: "g1" }),
      postrider.alias("website", { userId: "u1", previousId: "a1" }),
    ]);
    expect(answers.map(({ kind }) => kind)).toEqual(Array(6).fill("accepted"));
    await receiver.count(6);
    const page = receiver.messages.find(({ type }) => type === "page");
    expect(page).toMatchObject({ userId: "7", name: "Home", properties: { a: 1, b: 3 } });
    expect(receiver.messages.map(({ type }) => type).sort()).toEqual([
      "alias",
      "group",
      "identify",
      "page",
      "screen",
      "track",
    ]);
    expect(existsSync(file)).toBe(true);
  });

  it("takes a date as the client does, and tells of one that is none", async () => {
    const receiver = await receiverOf();
    const postrider = await embedded(settings(receiver.url));
    const at = new Date(Date.now() - 1_000);
    await postrider.track("website", { userId: "u1", event: "e", timestamp: at });
    await receiver.count(1);
    expect(receiver.messages[0]).toMatchObject({ timestamp: at.toISOString() });
    const bad = await postrider.track("website", { userId: "u1", event: "e", timestamp: new Date(NaN) });
    expect(bad).toMatchObject({ kind: "accepted", warnings: [{ code: "unread-date", path: "timestamp" }] });
  });

  it("answers what is wrong with a call, and does not throw", async () => {
    const postrider = await embedded(settings("http://127.0.0.1:9"));
    const call = { userId: "u1", event: "Signed Up", messageId: "m1" };
    expect(await postrider.track("website", call)).toMatchObject({ kind: "accepted", messageId: "m1" });
    expect(await postrider.track("website", call)).toEqual({ kind: "duplicate", messageId: "m1" });
    expect(await postrider.accept("website", [{ type: "track", userId: "u1" }, 7])).toMatchObject([
      { kind: "refused", refusal: { code: "no-event" } },
      { kind: "refused", refusal: { code: "not-an-object" } },
    ]);
    // @ts-expect-error the settings have no source of this id
    expect(await postrider.track("webshop", call)).toEqual({ kind: "unknown-source" });
    const throwing = Object.defineProperty({}, "timestamp", {
      enumerable: true,
      get: () => {
        throw new Error("a getter's fault");
      },
    });
    for (const value of [undefined, 7, throwing]) {
      expect(await postrider.page("website", value as never)).toMatchObject({ kind: "refused" });
    }
    expect(await postrider.page("website", { userId: "u1", properties: "p", traits: {} } as never)).toMatchObject({
      kind: "refused",
      refusal: { path: "properties" },
    });
    // @ts-expect-error a track call has an event
    expect(await postrider.track("website", { userId: "u1" })).toMatchObject({ kind: "refused" });
  });

  it("takes the value of a config file, with references to variables and files, and without its listen", async () => {
    const receiver = await receiverOf();
    const folder = tempFolder();
    writeFileSync(join(folder, "secret.json"), SECRET);
    process.env["POSTRIDER_TEST_KEY"] = WRITE_KEY;
    onTestFinished(() => {
      delete process.env["POSTRIDER_TEST_KEY"];
    });
    const file: unknown = JSON.parse(
      JSON.stringify({
        listen: { port: 8080 },
        store: "memory:",
        sources: [{ id: "website", writeKey: "env:POSTRIDER_TEST_KEY" }],
        destinations: [
          {
            id: "crm",
            sources: ["website"],
            endpoints: [{ url: receiver.url }],
            sharedSecret: `file:${join(folder, "secret.json")}`,
          },
        ],
        network: { allow: ["127.0.0.0/8"] },
      }),
    );
    const postrider = await embedded({ ...(file as PostriderOptions), logger: QUIET });
    expect(await postrider.track("website", { userId: "u1", event: "e" })).toMatchObject({ kind: "accepted" });
    await receiver.count(1);
  });

  it("rejects with one error that names every wrong setting, and opens nothing", async () => {
    const file = join(tempFolder(), "p.db");
    const wrong = {
      store: `sqlite:${file}`,
      sources: [{ id: "", writeKey: WRITE_KEY }],
      destinations: [{ id: "crm", sources: ["webshop"], endpoints: [{ url: "nope" }] }],
      network: { allow: ["everything"] },
    } as unknown as PostriderOptions;
    const paths = (await problemsOf(createPostrider(wrong))).map(([path]) => path);
    expect(paths).toEqual(
      expect.arrayContaining(["sources[0].id", "destinations[0].endpoints[0].url", "network.allow[0]"]),
    );
    expect(existsSync(file)).toBe(false);
  });

  it("says of a private address that an HTTP port of the host reaches it, now and after a change of the settings", async () => {
    const entries: LogEntry[] = [];
    const http: HttpPort = { send: () => Promise.resolve({ kind: "silent", fault: "timeout", afterMs: 0 }) };
    const { sources = [], destinations = [] } = settings("http://10.1.2.3");
    const logger = { log: (_level: string, entry: LogEntry) => entries.push(entry) };
    const postrider = await embedded({ store: "memory:", sources, destinations, http, logger });
    await postrider.configure({ sources, destinations });
    const told = entries.filter(({ code }) => code.endsWith("-address"));
    expect(told.map(({ code }) => code)).toEqual(["unvetted-address", "unvetted-address"]);
    expect(told[0]?.detail).toBe(
      "destinations[0].endpoints[0].url: http://10.1.2.3/hook is not a public address, and the HTTP port of the host sends " +
        "to it: addresses are not vetted; if it is not meant, let that port refuse such addresses, or leave http out",
    );
  });

  it("rejects a misspelt option, a port that is none, and what does not fit together", async () => {
    const store = createMemoryStore({ disk: createMemoryDisk() });
    const http: HttpPort = { send: () => Promise.resolve({ kind: "silent", fault: "timeout", afterMs: 0 }) };
    const options = settings("http://127.0.0.1:9");
    const paths = async (changes: object): Promise<readonly unknown[]> =>
      (await problemsOf(createPostrider({ ...options, ...changes }))).map(([path]) => path);
    for (const none of [undefined, null, []]) {
      expect(await problemsOf(createPostrider(none as never))).toEqual([["options", "an object"]]);
    }
    expect(await paths({ destnations: [] })).toEqual(["destnations"]);
    expect(await paths({ store: {}, basePath: "segment/", closeMs: -1, delivery: { timeoutMs: "long" } })).toEqual([
      "store",
      "basePath",
      "closeMs",
      "delivery.timeoutMs",
    ]);
    expect(await paths({ http })).toEqual(["network"]);
    expect(await paths({ http, senderThread: true })).toEqual(["network", "senderThread"]);
    expect(await paths({ audiences: store })).toEqual(["audiences"]);
  });

  it("rejects with the reason if its store cannot be opened", async () => {
    const file = join(tempFolder(), "missing", "p.db");
    const [[path, expected] = []] = await problemsOf(
      createPostrider(settings("http://127.0.0.1:9", { store: `sqlite:${file}` })),
    );
    expect(path).toBe("store");
    expect(expected).toContain("its folder does not exist");
  });

  it("serves Segment's libraries and the API under its base path, behind node:http and for Web requests", async () => {
    const postrider = await embedded(settings("http://127.0.0.1:9", { basePath: "/segment", apiToken: TOKEN }));
    const server = createServer(postrider.nodeListener);
    const url = `http://127.0.0.1:${String(await listen(server))}`;
    onTestFinished(() => close(server));
    const call = {
      method: "POST",
      headers: { authorization: BASIC },
      body: JSON.stringify({ userId: "u", event: "e" }),
    };
    const overHttp = async (path: string) => (await fetch(`${url}${path}`, call)).status;
    const byFetch = async (path: string) => (await postrider.fetch(new Request(`${url}${path}`, call))).status;
    for (const post of [overHttp, byFetch]) {
      expect(await post("/segment/v1/track")).toBe(200);
      expect(await post("/segment//v1/track/")).toBe(200);
      expect(await post("/v1/track")).toBe(404);
      expect(await post("/segmented/v1/track")).toBe(404);
      expect(await post("/segment")).toBe(404);
    }
    const stats = await fetch(`${url}/segment/api/stats`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(await stats.json()).toMatchObject({ accepted: 4 });
    expect((await fetch(`${url}/segment/healthz`)).status).toBe(200);
    expect(postrider.health()).toEqual({ kind: "healthy" });
  });

  it("is mounted by Express, which cuts the path from url and keeps it in originalUrl", async () => {
    const postrider = await embedded(settings("http://127.0.0.1:9", { basePath: "/segment" }));
    const server = createServer((request, response) => {
      Object.assign(request, { originalUrl: request.url, url: request.url?.slice("/segment".length) });
      postrider.nodeListener(request, response);
    });
    const url = `http://127.0.0.1:${String(await listen(server))}`;
    onTestFinished(() => close(server));
    const body = JSON.stringify({ userId: "u", event: "e" });
    const answer = await fetch(`${url}/segment/v1/track`, { method: "POST", headers: { authorization: BASIC }, body });
    expect(answer.status).toBe(200);
  });

  it("delivers through the host's HTTP port from the host's store, and closes neither", async () => {
    const disk = createMemoryDisk();
    let closes = 0;
    const store = { ...createMemoryStore({ disk }), close: () => Promise.resolve(void (closes += 1)) };
    const urls: string[] = [];
    const http: HttpPort & { close(): Promise<void> } = {
      send: ({ url }) => {
        urls.push(url);
        return Promise.resolve({
          kind: "answered",
          status: 200,
          headers: new Map(),
          excerpt: new Uint8Array(),
          afterMs: 1,
        } as never);
      },
      close: () => Promise.resolve(void (closes += 1)),
    };
    const { sources, destinations } = settings("https://example.com");
    const options = { sources, destinations, store, http, logger: QUIET } as PostriderOptions<"website">;
    const postrider = await createPostrider(options);
    await postrider.track("website", { userId: "u1", event: "e" });
    await expect.poll(() => urls).toEqual(["https://example.com/hook"]);
    await postrider.close();
    expect(closes).toBe(0);
  });

  it("puts new settings in force, or names what is wrong with them and changes nothing", async () => {
    const [first, second] = [await receiverOf(), await receiverOf()];
    const postrider = await embedded(settings(first.url));
    const { sources, destinations, network } = settings(second.url);
    const next = { sources, destinations, network } as PostriderSettings;
    await postrider.configure(next);
    await postrider.track("website", { userId: "u1", event: "e" });
    await second.count(1);
    expect(first.messages).toEqual([]);
    const wrong = { ...next, destinations: [{ id: "crm", sources: ["website"], endpoints: [{ url: "nope" }] }] };
    expect(await problemsOf(postrider.configure(wrong))).toMatchObject([
      ["destinations[0].endpoints[0].url", expect.anything()],
    ]);
    await postrider.track("website", { userId: "u2", event: "e" });
    await second.count(2);
  });

  it("tells each listener of each event until that is removed, whatever another one throws", async () => {
    const receiver = await receiverOf();
    const [fromStart, later]: [RelayEvent["kind"][], RelayEvent["kind"][]] = [[], []];
    const postrider = await embedded(settings(receiver.url, { observe: ({ kind }) => void fromStart.push(kind) }));
    postrider.observe(() => {
      throw new Error("a listener's fault");
    });
    const remove = postrider.observe(({ kind }) => void later.push(kind));
    await postrider.track("website", { userId: "u1", event: "e" });
    await expect.poll(() => later).toContain("delivered");
    remove();
    const before = later.length;
    await postrider.track("website", { userId: "u2", event: "e" });
    await expect.poll(() => fromStart.filter((kind) => kind === "delivered")).toHaveLength(2);
    expect(later).toHaveLength(before);
  });
});

describe("close", () => {
  it("waits for the round under way, and answers stopped to every later call", async () => {
    const receiver = await receiverOf({ isHeld: true });
    const postrider = await createPostrider(settings(receiver.url));
    await postrider.track("website", { userId: "u1", event: "e" });
    await receiver.count(1);
    let isClosed = false;
    const closed = postrider.close().then(() => (isClosed = true));
    expect(postrider.close()).toBe(postrider.close());
    expect(await postrider.track("website", { userId: "u1", event: "e" })).toEqual({ kind: "stopped" });
    expect(isClosed).toBe(false);
    receiver.answer();
    await closed;
    const late = await postrider.fetch(
      new Request("http://127.0.0.1/v1/track", {
        method: "POST",
        headers: { authorization: BASIC },
        body: '{"userId":"u","event":"e"}',
      }),
    );
    expect(late.status).toBe(503);
  });

  it("waits no longer than closeMs, and leaves in the store what was under way", async () => {
    const held = await receiverOf({ isHeld: true });
    const file = join(tempFolder(), "p.db");
    const logged: string[] = [];
    const logger = { log: (_: string, { code }: { readonly code: string }) => void logged.push(code) };
    const options = settings(held.url, { store: `sqlite:${file}`, closeMs: 50, logger });
    const first = await createPostrider(options);
    await first.track("website", { userId: "u1", event: "e" });
    await held.count(1);
    await first.close();
    expect(logged).toContain("rounds-left-open");
    expect(existsSync(`${file}-open`)).toBe(false);
    const second = await embedded({ ...options, logger: QUIET });
    const page = await second.relay.deliveries({ limit: 10 });
    // The round that was left open may have been given back before the store was closed.
    expect(page._unsafeUnwrap().deliveries).toMatchObject([
      { state: expect.stringMatching(/^(claimed|waiting)$/) as string },
    ]);
  });

  it("happens at the end of an await using block", async () => {
    let outer: Postrider<"website"> | undefined;
    {
      await using postrider = await createPostrider(settings("http://127.0.0.1:9"));
      outer = postrider;
      expect(await postrider.track("website", { userId: "u1", event: "e" })).toMatchObject({ kind: "accepted" });
    }
    expect(await outer.track("website", { userId: "u1", event: "e" })).toEqual({ kind: "stopped" });
  });
});

describe("a store of the host", () => {
  it.each([
    ["a promise", () => Promise.resolve({}), /and not a promise of one: await it$/],
    ["an object that is none", () => ({}), /a delivery store, or stores to open$/],
    [
      "one without some methods",
      () => ({ ...createMemoryStore({ disk: createMemoryDisk() }), claim: undefined, sweep: undefined }),
      /has no claim, sweep$/,
    ],
  ])("is refused in words: %s", async (_, make, expected) => {
    await expect(createPostrider({ store: make() as never })).rejects.toMatchObject({
      problems: [{ path: "store", expected: expect.stringMatching(expected) as string }],
    });
  });

  it("that throws what is no StoreError has its message in the log", async () => {
    const logged: LogEntry[] = [];
    const commit = () => Promise.reject(new TypeError("rows is not iterable"));
    const postrider = await createPostrider({
      store: { ...createMemoryStore({ disk: createMemoryDisk() }), commit },
      sources: [{ id: "website", writeKey: WRITE_KEY }],
      logger: { log: (_, entry) => void logged.push(entry) },
    });
    expect((await postrider.track("website", { userId: "u1", event: "e" })).kind).toBe("unavailable");
    expect(logged).toContainEqual({ code: "store-unavailable", detail: "rows is not iterable" });
    await postrider.close();
  });
});
