// The calling end by itself, on a port that is moved by hand: when it keeps the process running, and what comes too late.

import type { DeliveryId } from "@postrider/core";
import { connectStores, type ChannelEnd, MAX_PENDING_CALLS } from "@postrider/thread";
import { describe, expect, it } from "vitest";

interface HandPort extends ChannelEnd {
  /** Whether the port keeps the process running. */
  readonly keepsRunning: () => boolean;
  readonly hear: (event: string, value?: unknown) => void;
  /** The numbers of the requests so far. */
  readonly asked: readonly number[];
}

function handPort(): HandPort {
  const listeners = new Map<string, (value: unknown) => void>();
  const asked: number[] = [];
  let isRef = true;
  return {
    postMessage: (request) => void asked.push((request as { readonly id: number }).id),
    on: (event, listener) => listeners.set(event, listener),
    ref: () => void (isRef = true),
    unref: () => void (isRef = false),
    keepsRunning: () => isRef,
    hear: (event, value) => listeners.get(event)?.(value),
    asked,
  };
}

const answer = (id: number, text: string): unknown => ({ kind: "answer", id, text });
const OPENED = answer(0, '{"hasDeletions":false,"hasAudiences":false}');

async function opened(): Promise<{
  readonly port: HandPort;
  readonly stores: Awaited<ReturnType<typeof connectStores>>;
}> {
  const port = handPort();
  const opening = connectStores(port);
  port.hear("message", OPENED);
  return { port, stores: await opening };
}

describe("a port", () => {
  it("keeps the process running until the stores are open, and then while a call is pending", async () => {
    const port = handPort();
    const opening = connectStores(port);
    expect(port.keepsRunning()).toBe(true);
    port.hear("message", OPENED);
    const { deliveries } = await opening;
    expect(port.keepsRunning()).toBe(false);
    const one = deliveries.counts();
    expect(port.keepsRunning()).toBe(true);
    const both = [one, deliveries.counts()];
    port.hear("message", answer(1, "[]"));
    expect(port.keepsRunning()).toBe(true);
    port.hear("message", answer(2, "[]"));
    expect(port.keepsRunning()).toBe(false);
    expect(await Promise.all(both)).toEqual([[], []]);
  });

  it("keeps the process running from the close of the last store until its thread has ended", async () => {
    const { port, stores } = await opened();
    const closing = stores.deliveries.close();
    port.hear("message", answer(1, ""));
    await new Promise(setImmediate);
    expect(port.keepsRunning()).toBe(true);
    port.hear("exit", 0);
    await expect(closing).resolves.toBeUndefined();
  });

  it("keeps the process running though a response comes between the close and the end", async () => {
    const { port, stores } = await opened();
    const counting = stores.deliveries.counts();
    const closing = stores.deliveries.close();
    port.hear("message", answer(2, ""));
    await new Promise(setImmediate);
    port.hear("message", answer(1, "[]"));
    await expect(counting).resolves.toEqual([]);
    expect(port.keepsRunning()).toBe(true);
    port.hear("exit", 0);
    await closing;
  });
});

describe("a response that comes after the end", () => {
  it.each([
    ["a result", answer(1, "[]")],
    ["an error", { kind: "fault", id: 1, fault: { code: "busy", message: "later" } }],
  ])("changes nothing if it is %s", async (_, response) => {
    const { port, stores } = await opened();
    const counting = stores.deliveries.counts();
    port.hear("exit", 1);
    expect(() => {
      port.hear("message", response);
    }).not.toThrow();
    await expect(counting).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("the end of a port", () => {
  it.each([
    ["exit", 1, "the store's thread has ended"],
    ["close", undefined, "the store's thread has ended"],
    ["error", new Error("no memory"), "the store's thread has failed: no memory"],
    ["messageerror", undefined, "the store's thread sent a message that cannot be read"],
  ])("by %s is told as the reason, once", async (event, value, why) => {
    const told: string[] = [];
    const { port, stores } = await opened();
    stores.deliveries.onEnd?.((reason) => told.push(reason));
    const counting = stores.deliveries.counts();
    port.hear(event, value);
    port.hear("exit", 0);
    await expect(counting).rejects.toMatchObject({ code: "unavailable", message: why });
    expect(told).toEqual([why]);
  });

  it("is not told to what asks after all stores were closed", async () => {
    const told: string[] = [];
    const { port, stores } = await opened();
    const closing = stores.deliveries.close();
    port.hear("message", answer(1, ""));
    port.hear("exit", 0);
    await closing;
    stores.deliveries.onEnd?.((reason) => told.push(reason));
    expect(told).toEqual([]);
  });
});

it("says why it is busy, and sends nothing", async () => {
  const { port, stores } = await opened();
  for (let n = 0; n < MAX_PENDING_CALLS; n += 1) stores.deliveries.counts().catch(() => undefined);
  await expect(stores.deliveries.find("1" as DeliveryId)).rejects.toMatchObject({
    code: "busy",
    message: "too many calls to the store are pending",
  });
  expect(port.asked).toHaveLength(MAX_PENDING_CALLS);
});
