// A caller that leaves once its request has arrived, and before it is answered: all of its calls are stored, and its
// reservations are released (decision: disconnected callers).

import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { DeliveryStore } from "@postrider/core";
import { expect, it } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { serving } from "../http/serving.js";
import { createWorld } from "./world.js";

/** Three slices: one commit has at most 256 calls. */
const CALLS = 600;
const BATCH = JSON.stringify({
  batch: Array.from({ length: CALLS }, (_, nth) => ({ type: "track", userId: `u${String(nth)}`, event: "Left" })),
});

/** A store whose first commit of calls waits until the test lets it continue. */
function createGate() {
  let letGo = (): void => undefined;
  let tellAsked = (): void => undefined;
  const opened = new Promise<void>((resolve) => (letGo = resolve));
  const asked = new Promise<void>((resolve) => (tellAsked = resolve));
  const wrap = (store: DeliveryStore): DeliveryStore => ({
    ...store,
    commit: async (changes, now) => {
      if (changes.accept.length > 0) tellAsked();
      if (changes.accept.length > 0) await opened;
      return store.commit(changes, now);
    },
  });
  return { wrap, asked, letGo: () => letGo() };
}

it("a batch of many slices is stored to its end though its caller has left after the first", async () => {
  const gate = createGate();
  const world = createWorld({ wrap: gate.wrap });
  await serving(world.ingest, async ({ connect, listener, server }) => {
    const arriving = once(server, "request") as Promise<[IncomingMessage]>;
    const socket = await connect();
    const key = Buffer.from(`${WRITE_KEY}:`).toString("base64");
    const head = ["POST /v1/batch HTTP/1.1", "Host: a", `Authorization: Basic ${key}`];
    socket.write(`${[...head, `Content-Length: ${String(BATCH.length)}`].join("\r\n")}\r\n\r\n${BATCH}`);
    const [{ socket: served }] = await arriving;
    await gate.asked;
    expect(listener.held()).toMatchObject({ requests: 1, reading: 0 });
    socket.resetAndDestroy();
    await expect.poll(() => served.destroyed).toBe(true);

    gate.letGo();
    const accepted = async (): Promise<number> => {
      await world.clock.advance(10);
      return (await world.relay.stats())._unsafeUnwrap().accepted;
    };
    await expect.poll(accepted).toBe(CALLS);
    await expect.poll(() => listener.held()).toEqual({ requests: 0, reading: 0, bytes: 0, keylessBytes: 0 });
  });
});
