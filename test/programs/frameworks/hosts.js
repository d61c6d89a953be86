// The hosts of the matrix: each framework, with each way to mount Postrider in it. A host mounts at `path`, serves on a free
// port of the loopback, and knows nothing of the requests that come.

import "reflect-metadata";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { bodyParser } from "@koa/bodyparser";
import { All, Controller, Module, Req, Res } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import express4 from "express";
import Koa from "koa";
import koaBodyParser from "koa-bodyparser";
import koaMount from "koa-mount";

/** These are third parties of the root; a plain import of express finds the one of this folder. */
const ofRoot = createRequire(new URL("../../../package.json", import.meta.url));
const express5 = ofRoot("express");
const createFastify = ofRoot("fastify");
const { serve } = ofRoot("@hono/node-server");
const { Hono } = ofRoot("hono");
const { cloneRawRequest } = ofRoot("hono/request");

/** The path that a host passes on in the ways other than `plain`. */
export const PREFIX = "/segment";

/**
 * By framework and way: a function of Postrider that resolves with a listening server of node:http. In the way `plain`,
 * Postrider gets all paths; in the others, those under the prefix.
 */
export const HOSTS = {
  "node:http": { plain: nodeHttp, prefix: nodeHttp },
  "Express 5": expressWays(express5),
  "Express 4": expressWays(express4),
  Nest: { plain: nestBefore, prefix: nestBefore, before: nestBefore, behind: nestBehind },
  Fastify: { plain: fastifyBefore, prefix: fastifyBefore, before: fastifyBefore, ...fastifyBehind() },
  Koa: { plain: koa(), prefix: koa(), "by koa-mount": koaMounted },
  "Koa, koa-bodyparser": koaWays(koaBodyParser),
  "Koa, @koa/bodyparser": koaWays(bodyParser),
  Hono: { plain: hono(), prefix: hono(), ...honoBehind() },
  "Next route handler": { prefix: nextRoute },
  "Bun-style fetch": { plain: bunStyle, prefix: bunStyle },
};

function nodeHttp({ nodeListener }) {
  return listening(createServer(nodeListener));
}

function expressWays(create) {
  const host =
    (...order) =>
    ({ nodeListener }, path) => {
      const app = create().set("env", "test");
      for (const part of order) app.use(...(part === "mount" ? [path || "/", nodeListener] : [create.json()]));
      return listening(createServer(app));
    };
  return {
    plain: host("mount"),
    prefix: host("mount"),
    before: host("mount", "parser"),
    behind: host("parser", "mount"),
  };
}

/** What is used before `init` comes before Nest's own parser. */
async function nestBefore({ nodeListener }, path) {
  class AppModule {}
  Module({})(AppModule);
  const app = await NestFactory.create(AppModule, { logger: false });
  app.use(path || "/", nodeListener);
  await app.listen(0, "127.0.0.1");
  return app.getHttpServer();
}

async function nestBehind({ nodeListener }, path) {
  class SegmentController {
    pass(request, response) {
      nodeListener(request, response);
    }
  }
  All("*path")(
    SegmentController.prototype,
    "pass",
    Object.getOwnPropertyDescriptor(SegmentController.prototype, "pass"),
  );
  Req()(SegmentController.prototype, "pass", 0);
  Res()(SegmentController.prototype, "pass", 1);
  Controller(path)(SegmentController);
  class AppModule {}
  Module({ controllers: [SegmentController] })(AppModule);
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.listen(0, "127.0.0.1");
  return app.getHttpServer();
}

function fastifyBefore({ nodeListener }, path) {
  return fastifyHost(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.all(`${path}/*`, (request, reply) => {
      reply.hijack();
      nodeListener(request.raw, reply.raw);
    });
  });
}

function fastifyBehind() {
  const host =
    (passOn) =>
    ({ nodeListener }, path) =>
      fastifyHost(async (scope) => {
        scope.all(`${path}/*`, (request, reply) => {
          reply.hijack();
          nodeListener(passOn(request), reply.raw);
        });
      });
  return {
    behind: host(({ raw, body }) => Object.assign(raw, { body })),
    "behind, not passed on": host(({ raw }) => raw),
  };
}

async function fastifyHost(register) {
  const app = createFastify();
  app.register(register);
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server;
}

function koaWays(createParser) {
  return {
    before: koa({ behind: createParser }),
    behind: koa({ before: createParser }),
    "behind, not passed on": koa({ before: createParser, isPassedOn: false }),
  };
}

function koa({ before, behind, isPassedOn = true } = {}) {
  return ({ nodeListener }, path) => {
    const app = new Koa();
    app.silent = true;
    if (before !== undefined) app.use(before());
    app.use((context, next) => {
      if (!context.path.startsWith(`${path}/`)) return next();
      context.respond = false;
      if (isPassedOn) context.req.rawBody = context.request.rawBody;
      nodeListener(context.req, context.res);
    });
    if (behind !== undefined) app.use(behind());
    return listening(createServer(app.callback()));
  };
}

/** koa-mount cuts the path, and keeps no copy of it: Postrider has no base path then. */
function koaMounted({ nodeListener }) {
  const app = new Koa();
  const pass = (context) => {
    context.respond = false;
    nodeListener(context.req, context.res);
  };
  app.use(koaMount(PREFIX, pass));
  return listening(createServer(app.callback()));
}

function hono({ isRead = false, handOver = ({ raw }) => raw } = {}) {
  return (postrider, path) => {
    const app = new Hono();
    if (isRead) app.use(async ({ req }, next) => void (await req.text(), await next()));
    app.all(`${path}/*`, async ({ req }) => postrider.fetch(await handOver(req)));
    return served(app.fetch);
  };
}

function honoBehind() {
  return { behind: hono({ isRead: true, handOver: cloneRawRequest }), "behind, not passed on": hono({ isRead: true }) };
}

/** Next itself is not here: its route handlers are functions from Request to Response, under the path of their file. */
function nextRoute(postrider, path) {
  const route = { POST: (request) => postrider.fetch(request) };
  return served(async (request) => {
    if (!new URL(request.url).pathname.startsWith(path)) return new Response(null, { status: 404 });
    return route[request.method](request);
  });
}

/** Bun itself is not here: the server that is handed the object runs on Node. */
function bunStyle(postrider) {
  const server = { fetch: (request) => postrider.fetch(request) };
  return served(server.fetch);
}

function served(fetch) {
  return new Promise((resolve) => {
    const server = serve({ fetch, port: 0, hostname: "127.0.0.1" }, () => resolve(server));
  });
}

function listening(server) {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
