// Connections that the server cuts off because nothing moves on them, or because it stops; over real sockets.

import type { Clock } from "@postrider/core";
import { createSystemClock } from "@postrider/system";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createHttpServer } from "../../../packages/postrider/src/server/http-server.js";

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A server that does not answer by itself, and cuts off a connection on which nothing moves for a moment. */
async function silentServer(clock: Clock = createSystemClock({ keepsProcess: false })) {
  const waiting: ((arrived: Arrived) => void)[] = [];
  const server = createHttpServer({
    listener: (request, response) => {
      request.resume();
      waiting.shift()?.({ request, response });
    },
    clock,
    logger: { log: () => undefined },
    limits: { idleMs: 100, keepAliveMs: 3_600_000, requestTimeoutMs: 3_600_000 },
  });
  const listening = await server.listen({ host: "127.0.0.1", port: 0 });
  if (listening.kind === "refused") throw new Error(listening.reason);
  onTestFinished(async () => {
    server.close();
    await server.drain(0);
  });
  const dial = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(listening.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    return socket;
  };
  return { server, dial, arrival: () => new Promise<Arrived>((resolve) => waiting.push(resolve)) };
}

const HEAD = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n";

/** The first bytes that arrive; nothing if the connection is closed before. */
function firstHeard(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once("data", (chunk: Buffer) => resolve(chunk.toString())).once("close", () => resolve(""));
  });
}

/**
 * Waits until a new connection is cut off because nothing moves on it: that time has then passed for all earlier ones too.
 */
async function idleTime(dial: () => Promise<Socket>): Promise<void> {
  for (let times = 0; times < 2; times += 1) {
    const idle = await dial();
    idle.resume();
    await once(idle, "close");
  }
}

it("a request that has arrived is not cut off while it is handled, however long that takes", async () => {
  const { dial, arrival } = await silentServer();
  const arriving = arrival();
  const caller = await dial();
  const heard = firstHeard(caller);
  caller.write(`${HEAD}{}`);
  const { request, response } = await arriving;
  await expect.poll(() => request.complete).toBe(true);
  await idleTime(dial);
  response.end("done");
  expect(await heard).toMatch(/200 OK[\s\S]*done/);
});

it("a request behind which another one is still arriving is not cut off either", async () => {
  const { dial, arrival } = await silentServer();
  const [first, second] = [arrival(), arrival()];
  const caller = await dial();
  const heard = firstHeard(caller);
  caller.write(`${HEAD}{}${HEAD}{`);
  const { response } = await first;
  await second;
  await idleTime(dial);
  response.end("done");
  expect(await heard).toMatch(/200 OK[\s\S]*done/);
});

it("a request that stops arriving is cut off", async () => {
  const { dial, arrival } = await silentServer();
  const arriving = arrival();
  const caller = await dial();
  caller.resume().write(`${HEAD}{`);
  await arriving;
  await once(caller, "close");
});

it("an answer that its caller does not read is cut off, also after long work", async () => {
  const { dial, arrival } = await silentServer();
  const arriving = arrival();
  const caller = await dial();
  caller.pause().write(`${HEAD}{}`);
  const { request, response } = await arriving;
  await expect.poll(() => request.complete).toBe(true);
  await idleTime(dial);
  const { socket } = request;
  const answer = "x".repeat(64 * 1_048_576);
  response.end(answer);
  await expect.poll(() => socket.destroyed).toBe(true);
  expect(caller.bytesRead).toBeLessThan(answer.length);
});

it("connections that are not read yet are closed at once when the server is told to stop", async () => {
  const never = { ...createSystemClock(), after: () => () => undefined };
  const { server, dial } = await silentServer(never);
  let closed = 0;
  for (let callers = 0; callers < 5; callers += 1) (await dial()).resume().once("close", () => (closed += 1));
  // On a busy machine, connections that are read may be cut off as idle before.
  await expect.poll(() => server.connections() + closed).toBe(5);
  server.close();
  await expect.poll(() => closed).toBe(5);
});
