import type { OutboxCall } from "@postrider/core";
import { createMemoryStore } from "@postrider/memory";
import { createPostrider, type Postrider } from "postrider";
import { describe, expect, it, onTestFinished } from "vitest";
import { WRITE_KEY } from "../../canary.js";

const QUIET = { log: (): void => undefined };
const RUN = (): Promise<void> => Promise.resolve();

async function withOutbox(add: (call: OutboxCall) => Promise<void>): Promise<Postrider<"shop">> {
  const outbox = { add, read: () => Promise.resolve([]), count: () => Promise.resolve(0), remove: RUN };
  const postrider = await createPostrider({
    store: { ...createMemoryStore(), outbox },
    sources: [{ id: "shop", writeKey: WRITE_KEY }],
    destinations: [],
    logger: QUIET,
  });
  onTestFinished(() => postrider.close());
  return postrider;
}

function fail(): never {
  throw new Error("a getter's fault");
}

/** The calls that were added, each as it will be read. */
function kept(): { readonly calls: unknown[]; readonly add: (call: OutboxCall) => Promise<void> } {
  const calls: unknown[] = [];
  const add = ({ source, call }: OutboxCall): Promise<void> => {
    calls.push([source, JSON.parse(call)]);
    return Promise.resolve();
  };
  return { calls, add };
}

describe("a call in a transaction of the host", () => {
  it("is written with its kind, an id and a time", async () => {
    const { calls, add } = kept();
    const postrider = await withOutbox(add);
    const answer = await postrider.with(RUN).track("shop", { userId: "u1", event: "Paid" });
    expect(answer).toEqual({ kind: "written", messageId: expect.any(String) as string });
    const messageId = answer.kind === "written" ? answer.messageId : "";
    const timestamp = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    expect(calls).toEqual([["shop", { type: "track", messageId, timestamp, userId: "u1", event: "Paid" }]]);
  });

  it("keeps the id and the time that it has", async () => {
    const { calls, add } = kept();
    const postrider = await withOutbox(add);
    const timestamp = new Date("2026-01-02T03:04:05Z");
    const call = { messageId: "m1", userId: "u1", timestamp, traits: { plan: "pro" } };
    expect(await postrider.with(RUN).identify("shop", call)).toEqual({ kind: "written", messageId: "m1" });
    expect(calls).toMatchObject([["shop", { messageId: "m1", timestamp: "2026-01-02T03:04:05.000Z" }]]);
  });

  it.each([null, "", undefined])(
    "is written with an id that its answer tells, where it has %j for one",
    async (messageId) => {
      const { calls, add } = kept();
      const postrider = await withOutbox(add);
      const call = { messageId, timestamp: null, userId: "u1", event: "Paid" };
      const answer = await postrider.with(RUN).track("shop", call as never);
      const written = (calls as [string, { messageId: string; timestamp: string }][])[0]![1];
      expect(written.messageId).toMatch(/./);
      expect(written.timestamp).toMatch(/^\d{4}-.*Z$/);
      expect(answer).toEqual({ kind: "written", messageId: written.messageId });
    },
  );

  it.each([
    ["without its event", { userId: "u1" }, "no-event"],
    ["of another kind", { userId: "u1", event: "Paid", type: "page" }, "unknown-type"],
    ["that is larger than a call may be", { userId: "u1", event: "x".repeat(40_000) }, "too-large"],
    ["that JSON cannot carry", { userId: "u1", event: "Paid", properties: { amount: 1n } }, "number-not-finite"],
    [
      "whose getter throws",
      Object.defineProperty({ userId: "u1" }, "event", { get: fail, enumerable: true }),
      "not-an-object",
    ],
    ["that is no object", "Paid", "not-an-object"],
  ])("is refused and not written: one %s", async (_, call, code) => {
    const { calls, add } = kept();
    const postrider = await withOutbox(add);
    expect(await postrider.with(RUN).track("shop", call as never)).toMatchObject({
      kind: "refused",
      refusal: { code },
    });
    expect(calls).toEqual([]);
  });

  it("is looked at no further than a call may be large", async () => {
    const { calls, add } = kept();
    const postrider = await withOutbox(add);
    let written = 0;
    let pairs: object = { toJSON: () => (written += 1) };
    for (let level = 0; level < 20; level += 1) pairs = [pairs, pairs];
    const answer = await postrider.with(RUN).track("shop", { userId: "u1", event: "Paid", properties: { pairs } });
    expect(answer).toMatchObject({ kind: "refused", refusal: { code: "too-large" } });
    expect(written).toBeLessThan(40_000);
    expect(calls).toEqual([]);
  });

  it("is not written for a source that is not in the settings", async () => {
    const { calls, add } = kept();
    const postrider = await withOutbox(add);
    const answer = await postrider.with(RUN).track("other" as never, { userId: "u1", event: "Paid" });
    expect(answer).toEqual({ kind: "unknown-source" });
    expect(calls).toEqual([]);
  });

  it("rejects with what the statement rejects with, so that the transaction can be rolled back", async () => {
    const failure = new Error("the connection is gone");
    const postrider = await withOutbox(() => Promise.reject(failure));
    await expect(postrider.with(RUN).track("shop", { userId: "u1", event: "Paid" })).rejects.toBe(failure);
  });

  it("is no part of a store without an outbox", async () => {
    const postrider = await createPostrider({ store: "memory:", logger: QUIET });
    onTestFinished(() => postrider.close());
    expect(() => postrider.with(RUN)).toThrow(
      "postrider.with: store: expected a store with an outbox, such as postgresStores(pool)",
    );
  });
});
