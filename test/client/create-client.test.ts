import { createClient, type FailedCall, type CallOutcome } from "@postrider/client";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { answer, createRig, ENDPOINT, idsOf, queuedId } from "./rig.js";

describe("a call", () => {
  it("makes no request by itself, and returns the id under which it was queued", () => {
    const { client, sent } = createRig();
    const result = client.track({ userId: "u1", event: "e", messageId: "m1" });
    expect(result).toEqual({ kind: "ok", messageId: "m1" });
    expect(queuedId(client.identify({ anonymousId: "a1" }))).toMatch(/^[\da-f-]{36}$/);
    expect(sent).toEqual([]);
  });

  it("that breaks a rule is refused, logged without its content, and never sent", async () => {
    const { client, sent, log } = createRig();
    const refused = client.track({ userId: "CANARY" } as never);
    expect(refused).toEqual({ kind: "refused", code: "no-event", path: "event", message: "You must pass 'event'." });
    expect(log).toEqual([{ code: "call-refused", detail: "no-event" }]);
    expect(await client.flush()).toEqual({ delivered: 0, failed: 0, pending: 0 });
    expect(sent).toEqual([]);
  });

  it("of every kind is sent, in order, with the library's name, under a separate id", async () => {
    const { client, sent, clock } = createRig();
    const results = [
      client.identify({ userId: "u1", traits: { plan: "pro" } }),
      client.track({ userId: "u1", event: "e" }),
      client.page({ userId: "u1", name: "Home", traits: { url: "https://a.example" } }),
      client.screen({ anonymousId: "a1", name: "Inbox" }),
      client.group({ userId: "u1", groupId: 7 }),
      client.alias({ userId: "u1", previousId: "a1" }),
    ];
    await client.flush();
    const [{ url, request, sentAt, batch }] = sent as [(typeof sent)[0]];
    expect(url).toBe(`${ENDPOINT}/v1/batch`);
    expect(request).toMatchObject({
      method: "POST",
      redirect: "manual",
      headers: {
        authorization: `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}`,
        "content-type": "application/json",
      },
    });
    expect(sentAt).toBe(new Date(clock.wall()).toISOString());
    expect(batch.map(({ type }) => type)).toEqual(["identify", "track", "page", "screen", "group", "alias"]);
    expect(idsOf(batch)).toEqual(results.map(queuedId));
    for (const { context } of batch) expect(context).toMatchObject({ library: { name: "@postrider/client" } });
  });

  it("is a snapshot: later changes of its object have no effect", async () => {
    const { client, sent } = createRig();
    const properties = { n: 1 };
    client.track({ userId: "u1", event: "e", properties });
    properties.n = 2;
    await client.flush();
    expect(sent[0]!.batch[0]).toMatchObject({ properties: { n: 1 } });
  });
});

describe("a batch", () => {
  it("goes out with every 20th call, or with each if flushAt is 1", async () => {
    const { sent, track, clock } = createRig();
    track(19);
    await clock.settle();
    expect(sent).toHaveLength(0);
    track(22);
    await clock.settle();
    expect(sent.map(({ batch }) => batch.length)).toEqual([20, 20]);

    const each = createRig(undefined, { flushAt: 1 });
    each.track(3);
    await each.clock.settle();
    expect(each.sent.map(({ batch }) => batch.length)).toEqual([1, 1, 1]);
  });

  it("goes out 5 s after the later of the last flush and the first queued call", async () => {
    const { sent, track, clock } = createRig();
    await clock.advance(60_000);
    track(1);
    await clock.advance(4_999);
    expect(sent).toHaveLength(0);
    await clock.advance(1);
    expect(sent.map(({ at }) => at)).toEqual([65_000]);
    await clock.advance(3_000);
    track(1);
    await clock.advance(5_000);
    expect(sent.map(({ at }) => at)).toEqual([65_000, 73_000]);
    // No call waits, so no timer is left.
    await clock.advance(5_000);
    expect(clock.nextTimerAt()).toBeUndefined();
  });

  it("splits before it would be too large", async () => {
    const { client, sent, track } = createRig();
    track(20, { properties: { text: "ü".repeat(16_000) } });
    await client.flush();
    expect(sent.map(({ batch }) => batch.length)).toEqual([15, 5]);
    for (const { request } of sent) expect(Buffer.byteLength(request.body as string)).toBeLessThanOrEqual(500_000);
  });

  it("waits while the limit of batches is in flight", async () => {
    const { clock, sent, track } = createRig(() => "silent", { maxInFlight: 2, flushAt: 1, timeoutMs: 1_000 });
    track(5);
    await clock.settle();
    expect(sent).toHaveLength(2);
  });

  it("is zipped if the host wants it", async () => {
    const bodies: Uint8Array[] = [];
    const headers: unknown[] = [];
    const { client, track } = createRig(undefined, {
      gzip: true,
      transport: async (_: string, request: { body: Uint8Array; headers: unknown }) => {
        bodies.push(request.body);
        headers.push(request.headers);
        return answer(200);
      },
    });
    track(2);
    await client.flush();
    const text = await new Response(
      new Blob([bodies[0] as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip")),
    ).text();
    expect(JSON.parse(text)).toMatchObject({ batch: { length: 2 } });
    expect(headers).toEqual([expect.objectContaining({ "content-encoding": "gzip" })]);
  });
});

describe("a server that fails", () => {
  it("gets the same calls again, under the same ids, with the time of each try", async () => {
    const { clock, sent, track, delivered, failed } = createRig((_, index) => answer(index < 3 ? 503 : 200));
    const ids = track(20);
    await clock.advance(60_000);
    expect(sent).toHaveLength(4);
    for (const { batch } of sent) expect(idsOf(batch)).toEqual(ids);
    expect(new Set(sent.map(({ sentAt }) => sentAt)).size).toBe(4);
    const gaps = sent.slice(1).map(({ at }, index) => at - sent[index]!.at);
    for (const [index, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThanOrEqual(500 * 2 ** index);
      expect(gap).toBeLessThanOrEqual(750 * 2 ** index);
    }
    expect(idsOf(delivered)).toEqual(ids);
    expect(failed).toEqual([]);
  });

  it.each(["reset", "silent"] as const)("without an answer gets them again: %s", async (reaction) => {
    const { clock, sent, track, delivered } = createRig((_, index) => (index === 0 ? reaction : answer(200)), {
      timeoutMs: 2_000,
    });
    track(20);
    await clock.advance(60_000);
    expect(sent).toHaveLength(2);
    expect(sent[0]!.request.signal?.aborted).toBe(reaction === "silent");
    expect(delivered).toHaveLength(20);
    expect(clock.nextTimerAt()).toBeUndefined();
  });

  it("and sends Retry-After gets no batch until that time", async () => {
    const { clock, sent, track } = createRig(
      (_, index) => (index === 0 ? answer(429, null, { "retry-after": "30" }) : answer(200)),
      { maxInFlight: 4 },
    );
    track(20);
    await clock.advance(1_000);
    track(20);
    await clock.advance(28_999);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    expect(sent).toHaveLength(3);
    expect(sent.slice(1).every(({ at }) => at === 30_000)).toBe(true);
  });

  it("for good causes calls to be reported as failed, with their text", async () => {
    const { client, track, failed, clock } = createRig(() => "reset", { maxRetries: 2 });
    const [messageId] = track(1);
    void client.flush();
    await clock.advance(60_000);
    expect(failed).toEqual([
      {
        messageId,
        type: "track",
        reason: "retries-exhausted",
        code: "network",
        message: "The server could not be reached.",
        json: expect.stringContaining(`"messageId":"${messageId}"`) as string,
      },
    ]);
  });

  it("and refuses a batch does not get it again", async () => {
    const error = { code: "unknown-key", message: "expected the write key of a source" };
    const { client, sent, track, failed } = createRig(() => answer(401, { success: false, error }));
    track(2);
    expect(await client.flush()).toEqual({ delivered: 0, failed: 2, pending: 0 });
    expect(sent).toHaveLength(1);
    expect(failed).toMatchObject([{ reason: "refused", ...error }, { reason: "refused" }]);
  });

  it("and rejects some calls of a batch ends these as failed, the others as delivered", async () => {
    const rejected = [{ index: 1, code: "no-event", path: "event", message: "event: expected the name of the event" }];
    const { client, track, delivered, failed } = createRig(() => answer(200, { success: true, rejected }));
    const ids = track(3);
    expect(await client.flush()).toEqual({ delivered: 2, failed: 1, pending: 0 });
    expect(idsOf(delivered)).toEqual([ids[0], ids[2]]);
    expect(failed).toMatchObject([{ messageId: ids[1], reason: "rejected", code: "no-event" }]);
  });

  it("with an endless answer is read up to a limit", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const { client, track, delivered } = createRig(() => new Response(endless));
    track(1);
    await client.flush();
    expect(delivered).toHaveLength(1);
    expect(pulled).toBeLessThan(20);
  });

  it("with a transport that throws at once, or gives an invalid answer, does no harm", async () => {
    const rude = (): never => {
      throw new Error("CANARY");
    };
    for (const [transport, code] of [
      [rude, "network"],
      [(): never => undefined as never, "bad-transport"],
      [() => Promise.resolve({ status: 200 } as never), "bad-transport"],
    ] as const) {
      const { client, track, failed, clock } = createRig(undefined, { transport, maxRetries: 0 });
      track(1);
      await client.flush();
      await clock.settle();
      expect(failed).toMatchObject([{ code }]);
    }
  });
});

describe("a full queue", () => {
  it("refuses further calls, by number and by bytes, until others have ended", async () => {
    const { client, track, clock } = createRig(() => answer(200), { maxQueued: { calls: 3 } });
    track(3);
    const refused = client.track({ userId: "u1", event: "e" });
    expect(refused).toMatchObject({ kind: "refused", code: "queue-full", path: "" });
    await clock.advance(5_000);
    expect(client.track({ userId: "u1", event: "e" }).kind).toBe("ok");

    const small = createRig(() => "silent", { maxQueued: { bytes: 40_000 }, flushAt: 1 });
    const ids = small.track(50, { properties: { text: "x".repeat(1_000) } });
    expect(ids.filter((id) => id !== "")).toHaveLength(32);
  });

  it("can be awaited, and lets as many callers continue as there is room for", async () => {
    const { client, track, clock } = createRig(() => answer(200), { maxQueued: { calls: 2 }, whenFull: "wait" });
    await client.ready();
    track(2);
    let ready = 0;
    for (let index = 0; index < 5; index += 1) void client.ready().then(() => (ready += 1));
    await clock.settle();
    expect(ready).toBe(0);
    await clock.advance(5_000);
    expect(ready).toBe(2 + 1);
    await client.close();
    await clock.settle();
    expect(ready).toBe(5);
  });

  it("is not awaited unless the host chooses so", async () => {
    const { client, track } = createRig(() => "silent", { maxQueued: { calls: 1 } });
    track(1);
    await client.ready();
    expect(client.track({ userId: "u1", event: "e" }).kind).toBe("refused");
  });
});

describe("flush", () => {
  it("waits for all that was queued before it, retries included, and for nothing else", async () => {
    const { client, clock, track, delivered } = createRig((_, index) => answer(index === 0 ? 500 : 200));
    track(3);
    const flushed = client.flush();
    track(2);
    await clock.advance(4_000);
    expect(await flushed).toEqual({ delivered: 3, failed: 0, pending: 0 });
    expect(delivered).toHaveLength(3);
    await clock.advance(5_000);
    expect(delivered).toHaveLength(5);
  });

  it("does not count a later call that ends sooner as one that it waits for", async () => {
    const { client, clock, track, delivered } = createRig((_, index) => answer(index === 0 ? 500 : 200), {
      flushAt: 1,
    });
    const [first] = track(1);
    const flushed = client.flush();
    const [second] = track(1);
    let isFlushed = false;
    void flushed.then(() => (isFlushed = true));
    await clock.advance(100);
    expect(idsOf(delivered)).toEqual([second]);
    expect(isFlushed).toBe(false);
    await clock.advance(1_000);
    expect(await flushed).toEqual({ delivered: 1, failed: 0, pending: 0 });
    expect(idsOf(delivered)).toEqual([second, first]);
  });

  it("may be called several times at once, and with nothing to flush", async () => {
    const { client, track, sent } = createRig();
    track(1);
    expect(await Promise.all([client.flush(), client.flush(), client.flush()])).toEqual(
      Array.from({ length: 3 }, () => ({ delivered: 1, failed: 0, pending: 0 })),
    );
    expect(await client.flush()).toEqual({ delivered: 0, failed: 0, pending: 0 });
    expect(sent).toHaveLength(1);
  });

  it("waits no longer than its timeout", async () => {
    const { client, clock, track } = createRig(() => "silent");
    track(2);
    const flushed = client.flush({ timeoutMs: 1_000 });
    await clock.advance(1_000);
    expect(await flushed).toEqual({ delivered: 0, failed: 0, pending: 2 });
  });
});

describe("close", () => {
  it("flushes, takes no further call, and answers the same however often it is called", async () => {
    const { client, sent, track, clock } = createRig();
    track(3);
    const reports = await Promise.all([client.close(), client.close()]);
    expect(reports).toEqual([{ undelivered: [] }, { undelivered: [] }]);
    expect(sent.map(({ batch }) => batch.length)).toEqual([3]);
    expect(client.track({ userId: "u1", event: "e" })).toMatchObject({ kind: "refused", code: "closed" });
    expect(await client.close()).toEqual({ undelivered: [] });
    expect(clock.nextTimerAt()).toBeUndefined();
  });

  it("reports calls that were not delivered in time, with their text, in order, and leaves nothing running", async () => {
    const { client, clock, track, failed, delivered } = createRig(() => answer(500), { closeTimeoutMs: 2_000 });
    const ids = track(50);
    await clock.advance(100);
    const closing = client.close();
    await clock.advance(2_000);
    const { undelivered } = await closing;
    expect(idsOf(undelivered)).toEqual(ids);
    expect(new Set(undelivered.map(({ reason }) => reason))).toEqual(new Set(["closed"]));
    expect(undelivered.map(({ json }) => (JSON.parse(json) as { messageId: string }).messageId)).toEqual(ids);
    expect(failed).toEqual(undelivered);
    expect(delivered).toEqual([]);
    await clock.advance(600_000);
    expect(failed).toHaveLength(50);
    expect(clock.nextTimerAt()).toBeUndefined();
  });

  it("also reports calls that are refused while it waits, and none that were refused before", async () => {
    const { client, track } = createRig((_, index) => answer(index === 0 ? 400 : 401));
    track(20);
    await client.flush();
    const ids = track(2);
    const { undelivered } = await client.close();
    expect(idsOf(undelivered)).toEqual(ids);
    expect(undelivered).toMatchObject([{ reason: "refused", code: "401" }, { code: "401" }]);
  });

  it("does not wait for an answer that never comes", async () => {
    const { client, clock, track, sent } = createRig(() => "silent", { timeoutMs: 600_000 });
    track(1);
    const closing = client.close();
    await clock.advance(60_000);
    expect((await closing).undelivered).toHaveLength(1);
    expect(sent[0]!.request.signal?.aborted).toBe(true);
  });

  it("happens at the end of an await using block", async () => {
    const { client, sent, track } = createRig();
    track(1);
    await client[Symbol.asyncDispose]();
    expect(sent).toHaveLength(1);
    expect(client.track({ userId: "u1", event: "e" }).kind).toBe("refused");
  });

  it("returns calls that can be made again unchanged", async () => {
    const first = createRig(() => answer(400));
    const [messageId] = first.track(1, { context: { ip: "203.0.113.7" }, timestamp: "2026-01-01" });
    const { undelivered } = await first.client.close();
    const again = createRig();
    const { type, ...call } = JSON.parse(undelivered[0]!.json) as { type: "track" };
    expect(queuedId(again.client[type](call as never))).toBe(messageId);
    await again.client.flush();
    expect(again.sent[0]!.batch).toEqual([JSON.parse(undelivered[0]!.json)]);
  });
});

describe("outcomes", () => {
  it("may be iterated over, until the client is closed", async () => {
    const { client, track } = createRig((_, index) => answer(index === 0 ? 200 : 400));
    const seen: CallOutcome[] = [];
    const reading = (async () => {
      for await (const outcome of client.outcomes()) seen.push(outcome);
    })();
    const [one] = track(1);
    await client.flush();
    const [two] = track(1);
    await client.close();
    await reading;
    expect(seen).toMatchObject([
      { kind: "delivered", messageId: one, type: "track" },
      { kind: "failed", messageId: two, reason: "refused" },
    ]);
    expect((await client.outcomes().next()).done).toBe(true);
  });

  it("that are not read in time are counted instead of kept", async () => {
    const { client, track, clock } = createRig(undefined, { flushAt: 2_000 });
    const listener = client.outcomes();
    for (let made = 0; made < 14_000; made += 2_000) {
      track(2_000);
      await clock.settle();
    }
    await client.close();
    let taken = 0;
    let missed = 0;
    for await (const outcome of listener) {
      if (outcome.kind === "missed") missed += outcome.count;
      else taken += 1;
    }
    expect(taken).toBeLessThanOrEqual(10_000);
    expect(taken + missed).toBe(14_000);
  });

  it("end for a listener that stops reading", async () => {
    const { client, track } = createRig();
    const listener = client.outcomes();
    const waiting = listener.next();
    await listener.return?.();
    track(1);
    await client.flush();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect((await listener.next()).done).toBe(true);
  });

  it("are passed to callbacks, which may throw, reject and make calls", async () => {
    let failures = 0;
    const rig = createRig(undefined, {
      onDelivered: () => {
        throw new Error("thrown");
      },
      logger: {
        log: () => {
          throw new Error("even this");
        },
      },
    });
    rig.track(2);
    expect(await rig.client.flush()).toMatchObject({ delivered: 2 });

    const rejecting = createRig(undefined, {
      onDelivered: async () => {
        throw new Error("rejected");
      },
    });
    rejecting.track(1);
    await rejecting.client.flush();
    await rejecting.clock.settle();
    expect(rejecting.log).toContainEqual({ code: "callback-failed" });

    const refusing = createRig(() => answer(400), {
      onFailed: ({ json }: FailedCall) => {
        failures += 1;
        if (failures === 1) queuedId(refusing.client.track(JSON.parse(json) as never));
      },
    });
    refusing.track(1);
    await refusing.client.flush();
    await refusing.client.close();
    expect(failures).toBe(2);
  });
});

describe("a client", () => {
  it("is not created with invalid options, and the error does not show its key", () => {
    expect(() => createClient("SECRET:", { endpoint: "SECRET", flushAt: 0 })).toThrow(
      /^createClient: writeKey: .+; endpoint: .+; flushAt: expected a whole number from 1 to 2500$/,
    );
    expect(() => createClient("SECRET:", { endpoint: "" })).not.toThrow("SECRET");
  });

  it("never shows its key", async () => {
    const { client, track, log, failed } = createRig(() => answer(401));
    track(1);
    await client.flush();
    for (const shown of [client, log, failed])
      expect(inspect(shown, { depth: 9, showHidden: true })).not.toContain("WATCHED");
  });
});
