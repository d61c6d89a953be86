// Ingest mounted in frameworks, behind their usual body parsers: real ones, over real sockets.

import { once } from "node:events";
import { createServer, type IncomingMessage, request as openRequest, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { serve as serveHono } from "@hono/node-server";
import { createIngest, createNodeListener, createWebHandler, type NodeListener } from "@postrider/http/ingest";
import { createApi, isUpload } from "@postrider/http/api";
import { createSecret } from "@postrider/core";
import express, { type RequestHandler } from "express";
import createFastify from "fastify";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOKEN, WRITE_KEY } from "../canary.js";
import { basic } from "./requests.js";
import { createWorld, type World } from "./world.js";

const CALL = { userId: "u1", event: "Signed Up", messageId: "m1", properties: { "naïve key": [1.5, null, "☃"] } };
const JSON_TYPE = { "content-type": "application/json" };

interface Mounted {
  readonly world: World;
  readonly url: string;
}

async function listening(world: World, listener: RequestListener): Promise<Mounted> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { world, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}

function mounted(mount: (listener: NodeListener) => RequestListener): Promise<Mounted> {
  const world = createWorld();
  return listening(world, mount(createNodeListener(world.ingest)));
}

function behind(...parsers: readonly RequestHandler[]): Promise<Mounted> {
  return mounted((listener) => {
    const app = express();
    for (const parser of parsers) app.use(parser);
    app.use("/in", listener);
    return app;
  });
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
}

function send(url: string, { headers = JSON_TYPE, body = JSON.stringify(CALL) }: Sent = {}): Promise<Response> {
  return fetch(`${url}/v1/track`, { method: "POST", body, headers: { ...basic(), ...headers } });
}

async function expectTaken({ world, url }: Mounted, sent: Sent = {}, path = "/in"): Promise<void> {
  const response = await send(`${url}${path}`, sent);
  expect([response.status, await response.json()]).toEqual([200, { success: true, messageId: "m1" }]);
  await expect.poll(() => world.messages()).toMatchObject([CALL]);
}

async function expectTold({ world, url }: Mounted, sent: Sent = {}, path = "/in"): Promise<void> {
  const response = await send(`${url}${path}`, sent);
  expect(response.status).toBe(500);
  const { error } = (await response.json()) as { readonly error: { readonly code: string; readonly message: string } };
  expect(error.code).toBe("body-already-read");
  expect(error.message).toMatch(/mount|hand over/);
  expect((await world.relay.stats())._unsafeUnwrap().accepted).toBe(0);
}

describe("behind Express", () => {
  const TEXT = { "content-type": "text/plain" };

  it("takes what express.json() has parsed", async () => {
    await expectTaken(await behind(express.json()));
  });

  it("takes what express.json() has parsed of a body that came in chunks, without a length", async () => {
    const mounted = await behind(express.json());
    const sent = openRequest(`${mounted.url}/in/v1/track`, { method: "POST", headers: { ...basic(), ...JSON_TYPE } });
    const answered = once(sent, "response");
    sent.flushHeaders();
    sent.end(JSON.stringify(CALL));
    const [response] = (await answered) as [IncomingMessage];
    expect([response.statusCode, await text(response)]).toEqual([200, '{"success":true,"messageId":"m1"}']);
  });

  it("takes what express.json() has unzipped and parsed", async () => {
    const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
    await expectTaken(await behind(express.json()), { headers, body: gzipSync(JSON.stringify(CALL)) });
  });

  it("takes a batch that express.json() has parsed, by the key in it", async () => {
    const { url } = await behind(express.json());
    const batch = JSON.stringify({ batch: [{ type: "track", ...CALL }], writeKey: WRITE_KEY });
    const response = await fetch(`${url}/in/v1/batch`, { method: "POST", body: batch, headers: JSON_TYPE });
    expect(await response.json()).toMatchObject({ success: true, accepted: 1 });
  });

  it("takes what express.text() has read", async () => {
    await expectTaken(await behind(express.text()), { headers: TEXT });
  });

  it("takes what express.raw() has read, still zipped or not", async () => {
    await expectTaken(await behind(express.raw({ type: "*/*" })));
    const body = gzipSync(JSON.stringify(CALL));
    await expectTaken(await behind(express.raw({ type: "*/*", inflate: false })), { body });
  });

  it("takes the rawBody that a parser has kept beside its value", async () => {
    const keep = express.json({ verify: (request, _, bytes) => void Object.assign(request, { rawBody: bytes }) });
    const spoil: RequestHandler = (request, _, next) => {
      request.body = { spoiled: true };
      next();
    };
    await expectTaken(await behind(keep, spoil));
  });

  it("reads a body that no parser has read", async () => {
    await expectTaken(await behind(express.json(), express.urlencoded()), { headers: TEXT });
  });

  it("answers at once what to do about JSON that express.urlencoded() has split into fields", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    await expectTold(await behind(express.urlencoded({ extended: true })), { headers });
  });

  it("answers at once what to do about a body that was read and not kept", async () => {
    const swallow: RequestHandler = (request, _, next) => {
      request.resume().once("end", () => next());
    };
    await expectTold(await behind(swallow));
  });

  it("answers at once what to do about a body that was read in part", async () => {
    const sip: RequestHandler = (request, _, next) => {
      request.once("readable", () => {
        request.read(5);
        next();
      });
    };
    await expectTold(await behind(sip));
  });

  it("reads a body that was paused, or given an encoding, before it arrived here", async () => {
    const pause: RequestHandler = (request, _, next) => {
      request.pause();
      next();
    };
    const decode: RequestHandler = (request, _, next) => {
      request.setEncoding("utf8");
      next();
    };
    await expectTaken(await behind(pause));
    await expectTaken(await behind(decode));
  });

  it("does nothing for a request that the host has answered", async () => {
    const answer: RequestHandler = (request, response, next) => {
      response.status(418).end("no");
      next();
    };
    const { url, world } = await behind(express.json(), answer);
    expect((await send(`${url}/in`)).status).toBe(418);
    expect((await send(`${url}/in`, { headers: TEXT })).status).toBe(418);
    expect((await world.relay.stats())._unsafeUnwrap().accepted).toBe(1);
  });

  it("answers a request without a body as usual", async () => {
    const { url } = await behind(express.json(), express.text(), express.raw(), express.urlencoded());
    expect((await fetch(`${url}/in/v1/projects/${WRITE_KEY}/settings`)).status).toBe(200);
    expect((await fetch(`${url}/in/v1/track`, { method: "OPTIONS" })).status).toBe(204);
    const empty = await fetch(`${url}/in/v1/track`, { method: "POST", headers: { ...basic(), ...JSON_TYPE } });
    expect([empty.status, await empty.json()]).toMatchObject([400, { error: { code: "bad-json" } }]);
  });

  it("has the same bound for a body that a parser has read", async () => {
    const { url } = await behind(express.text({ limit: "2mb" }));
    const response = await send(`${url}/in`, { headers: TEXT, body: "x".repeat(512_001) });
    expect([response.status, await response.json()]).toMatchObject([413, { error: { code: "too-large" } }]);
  });
});

describe("a list that is read as it arrives, behind Express", () => {
  const streaming = (...parsers: readonly RequestHandler[]): Promise<Mounted> =>
    mounted(() => {
      const api = createApi({ relay: createWorld().relay, apiToken: createSecret(TOKEN) });
      const app = express();
      for (const parser of parsers) app.use(parser);
      return app.use(createNodeListener(api, { isStreamed: isUpload }));
    });
  const ask = (url: string, path: string, type: string, body: string): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": type },
      body,
    });
  const MEMBERS = '{"userId":"u1"}\n';

  it("is accepted if a parser has kept its text, and refused at once if it was parsed", async () => {
    const { url } = await streaming(express.text({ type: "application/x-ndjson" }), express.json());
    const audience = JSON.stringify({ name: "Buyers", destinations: [] });
    expect((await ask(url, "/api/audiences", "application/json", audience)).status).toBe(201);
    const sync = "/api/audiences/buyers/sync";
    const [kept, parsed] = [
      await ask(url, sync, "application/x-ndjson", MEMBERS),
      await ask(url, sync, "application/json", MEMBERS),
    ];
    expect(kept.status).toBe(202);
    expect([parsed.status, await parsed.json()]).toMatchObject([500, { error: { code: "body-already-read" } }]);
  });

  it("is refused at once if it was read and not kept, since it would look empty", async () => {
    const { url } = await streaming((request, _, next) => {
      request.resume().once("end", () => next());
    });
    const lost = await ask(url, "/api/audiences/buyers/sync", "application/x-ndjson", MEMBERS);
    expect([lost.status, await lost.json()]).toMatchObject([500, { error: { code: "body-already-read" } }]);
  });
});

describe("behind Fastify", () => {
  async function fastify(handOn: "nothing" | "what was parsed"): Promise<Mounted> {
    const world = createWorld();
    const listener = createNodeListener(world.ingest);
    const app = createFastify();
    app.all("/v1/*", (request, reply) => {
      void reply.hijack();
      if (handOn === "what was parsed") Object.assign(request.raw, { body: request.body });
      listener(request.raw, reply.raw);
    });
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    onTestFinished(() => app.close());
    return { world, url };
  }

  it("accepts what its parser has parsed, if the host passes it on", async () => {
    await expectTaken(await fastify("what was parsed"), {}, "");
  });

  it("answers at once what to do if the host does not", async () => {
    await expectTold(await fastify("nothing"), {}, "");
  });
});

describe("behind Hono", () => {
  async function hono(isRead: boolean): Promise<Mounted> {
    const world = createWorld();
    const web = createWebHandler(createIngest({ relay: world.relay, clock: world.clock }));
    const app = new Hono();
    app.all("/v1/*", async (context) => {
      if (isRead) await context.req.json();
      return web(context.req.raw);
    });
    const server = serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return { world, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
  }

  it("takes a Request that nothing has read", async () => {
    await expectTaken(await hono(false), {}, "");
  });

  it("answers at once what to do about one that was read", async () => {
    await expectTold(await hono(true), {}, "");
  });

  it("answers the same about one that is being read", async () => {
    const world = createWorld();
    const request = new Request("http://a/v1/track", { method: "POST", body: "{}" });
    request.body?.getReader();
    expect((await createWebHandler(world.ingest)(request)).status).toBe(500);
  });
});
