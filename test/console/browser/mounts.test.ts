// The console below a path of a host's own server, in each of the ways in which hosts mount handlers.

import { serve } from "@hono/node-server";
import { createConsole } from "@postrider/console";
import { createSecret } from "@postrider/core";
import { createNodeListener, createWebHandler } from "@postrider/http";
import { createMemoryDisk, createMemoryStore, createScriptedHttp } from "@postrider/memory";
import { createRelay } from "@postrider/relay";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { TOKEN } from "../../canary.js";
import { describeInBrowser } from "../../client/browser/browser.js";
import { workspace } from "../../ingest/world.js";
import { close, listen } from "../../loopback.js";

const PREFIX = "/admin/postrider";

function consoleOf() {
  const [clock, random] = [createSystemClock(), createSystemRandom()];
  const http = createScriptedHttp({ clock, script: () => ({ kind: "answers", status: 200 }) });
  const relay = createRelay({
    workspace: workspace(),
    store: createMemoryStore({ disk: createMemoryDisk() }),
    http,
    clock,
    random,
  });
  relay.start();
  onTestFinished(() => relay.stop());
  return createConsole({ relay, clock, random, authenticate: { operator: createSecret(TOKEN) } });
}

/** Starts a host's server with the console below the prefix, and answers its port. */
const HOSTS: Readonly<Record<string, () => Promise<number>>> = {
  "node:http": () => listened(createServer(createNodeListener(consoleOf(), { basePath: PREFIX }))),
  Express: () => {
    const app = express();
    app.use(PREFIX, createNodeListener(consoleOf()));
    app.use(express.json());
    return listened(createServer(app));
  },
  Fastify: async () => {
    const app = fastify();
    const listener = createNodeListener(consoleOf(), { basePath: PREFIX });
    await app.register((scope, _options, done) => {
      // The listener reads bodies itself.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
      const handler = (request: { readonly raw: never }, reply: { hijack(): void; readonly raw: never }): void => {
        reply.hijack();
        listener(request.raw, reply.raw);
      };
      scope.all(PREFIX, handler as never);
      scope.all(`${PREFIX}/*`, handler as never);
      done();
    });
    await app.ready();
    onTestFinished(() => app.close());
    app.server.listen(0, "127.0.0.1");
    await once(app.server, "listening");
    return portOf(app.server);
  },
  Hono: () => {
    const handle = createWebHandler(consoleOf(), { basePath: PREFIX });
    const app = new Hono();
    app.all(`${PREFIX}/*`, (context) => handle(context.req.raw));
    return served(app.fetch);
  },
  "a route handler of Next": () => {
    const handle = createWebHandler(consoleOf(), { basePath: PREFIX });
    const route: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
      GET: handle,
      POST: handle,
      DELETE: handle,
    };
    return served((request) => route[request.method]?.(request) ?? new Response(null, { status: 405 }));
  },
};

describeInBrowser("the console of a host", (browser) => {
  it.each(Object.keys(HOSTS))("works below a path, mounted in %s", async (host) => {
    const port = await HOSTS[host]!();
    const context = await browser().newContext();
    onTestFinished(() => context.close());
    const asked: string[] = [];
    context.on("request", (request) => asked.push(request.url()));
    const page = await context.newPage();
    const root = `http://127.0.0.1:${String(port)}${PREFIX}/`;
    await page.goto(root);
    await page.getByLabel("Token").fill(TOKEN);
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /crm/ }).getByText("open").waitFor();
    await page.getByRole("button", { name: "Pause: crm" }).click();
    await page.getByText("by an operator").waitFor();
    await page.getByRole("link", { name: "Deliveries" }).click();
    await page.getByText("No delivery matches.").waitFor();
    expect(page.url()).toBe(`${root}deliveries`);
    await page.reload();
    await page.getByText("No delivery matches.").waitFor();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    expect(asked.filter((url) => !url.startsWith(root))).toEqual([]);
  });
});

async function listened(server: Server): Promise<number> {
  onTestFinished(() => close(server));
  return listen(server);
}

function served(fetch: (request: Request) => Response | Promise<Response>): Promise<number> {
  return new Promise((resolve) => {
    const server = serve({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(port));
    onTestFinished(() => new Promise<void>((ended) => void server.close(() => ended())));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
