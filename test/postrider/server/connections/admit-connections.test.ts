import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { admitConnections } from "../../../../packages/postrider/src/server/connections/admit-connections.js";
import { close, listen } from "../../../loopback.js";

const BODY = "x".repeat(100_000);
const CALL = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${String(BODY.length)}\r\n\r\n${BODY}`;

/** A server that answers how long a body was, whose ticks come by hand, and that reads one connection of a row at once. */
async function admitting() {
  const ticks: (() => void)[] = [];
  const accepted: Socket[] = [];
  const server = createServer((request, response) => {
    let length = 0;
    request.on("data", (chunk: Buffer) => (length += chunk.length)).on("end", () => response.end(String(length)));
  });
  admitConnections(server, {
    limits: {
      maxConnections: 9,
      maxKeylessPerNetwork: 9,
      maxAcceptedInRow: 9,
      maxPromptPerNetwork: 1,
      maxStartsPerTick: 1,
    },
    clock: {
      after: (_, tick) => {
        ticks.push(tick);
        return () => undefined;
      },
    },
    onDisplaced: () => undefined,
    onDropped: () => undefined,
  });
  server.on("connection", (socket: Socket) => accepted.push(socket));
  const port = await listen(server);
  onTestFinished(() => close(server));
  const tick = (): void => {
    for (const one of ticks.splice(0)) one();
  };
  return { server, accepted, tick, dial: () => dial(server, port) };
}

async function dial(server: Server, port: number): Promise<{ socket: Socket; received(): string }> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("error", () => undefined).on("data", (chunk: Buffer) => (text += chunk.toString()));
  onTestFinished(() => void socket.destroy());
  await once(server, "connection");
  socket.write(CALL);
  return { socket, received: () => text };
}

it("nothing is received of a connection before its turn, and all of it after", async () => {
  const { accepted, tick, dial } = await admitting();
  const [first, second] = [await dial(), await dial()];
  await expect.poll(() => first.received()).toMatch(/\r\n\r\n100000$/);
  expect(accepted[1]?.bytesRead).toBe(0);
  // The first tick notices that no connection was accepted since.
  tick();
  tick();
  await expect.poll(() => second.received()).toMatch(/\r\n\r\n100000$/);
});

it("a connection whose turn has not come is closed once the server is told to stop", async () => {
  const { server, accepted, tick, dial } = await admitting();
  await dial();
  const [left, waiting] = [await dial(), await dial()];
  left.socket.resetAndDestroy();
  // While nothing is read from it, the server does not notice before its turn that the caller has left.
  const closed = Promise.all([once(server, "close"), once(waiting.socket, "close")]);
  server.close();
  for (let ticks = 0; ticks < 4; ticks += 1) tick();
  accepted[0]?.destroy();
  await closed;
  expect(waiting.received()).toBe("");
});
