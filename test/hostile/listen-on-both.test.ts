import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { listen } from "../loopback.js";
import { listenOnBoth, MAX_PORT_TRIES } from "./listen-on-both.js";

async function takeUdp(): Promise<number> {
  const other = openUdp();
  other.bind(0, "127.0.0.1");
  await once(other, "listening");
  return other.address().port;
}

function openUdp(): Socket {
  const socket = createSocket("udp4");
  onTestFinished(() => void socket.close());
  return socket;
}

function openTcp() {
  const server = createServer();
  onTestFinished(() => void server.close());
  return server;
}

it("passes over ports that another program has for UDP, or for TCP", async () => {
  const taken = [await takeUdp(), await listen(openTcp()), await takeUdp()];
  const left = [...taken];
  const [udp, tcp] = [openUdp(), openTcp()];
  const port = await listenOnBoth(udp, tcp, () => left.shift() ?? 0);
  expect(left).toEqual([]);
  expect(taken).not.toContain(port);
  expect([udp.address().port, tcp.address()]).toEqual([port, expect.objectContaining({ port })]);
  // Nothing is left behind on what was passed over.
  await listen(openTcp(), taken[0]);
});

it("ends after a named number of ports", async () => {
  const taken = await takeUdp();
  let tries = 0;
  const choose = (): number => {
    tries += 1;
    return taken;
  };
  await expect(listenOnBoth(openUdp(), openTcp(), choose)).rejects.toThrow("is free for TCP and UDP");
  expect(tries).toBe(MAX_PORT_TRIES);
});
