// Every hostile receiver against every adapter: the reply, within its time, and nothing left open. With a short deadline;
// `npm run soak -- receivers` uses the real one.

import { readFileSync } from "node:fs";
import { createSystemClock } from "@postrider/system";
import { type ScriptedReceiver, startReceiver, HOSTILE_RECEIVERS } from "@postrider/testkit/hostile-receivers";
import { describe, expect, it } from "vitest";
import {
  ALL_ADAPTERS,
  expectedOf,
  keptAfter,
  MAX_LATE_TURNS,
  openSubject,
  post,
  sendTimed,
  settles,
  type Subject,
  wordFor,
} from "./measure.js";

/** For receivers that take the whole timeout. */
const TIMEOUT_MS = 400;
/** For all others: longer than they take on any machine. */
const AMPLE_MS = 60_000;
const BEFORE_TIME = -1;

const clock = createSystemClock();

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}

describe.concurrent.each(ALL_ADAPTERS)("over %s, a receiver that", (adapter) => {
  it.each(HOSTILE_RECEIVERS)(
    "$does ($name) gets the expected reply, and leaves no connection open",
    async (hostile) => {
      const receiver = await startReceiver(hostile.script, clock);
      const subject = openSubject(adapter);
      const { takes, ...expected } = { takes: undefined, ...expectedOf(adapter, hostile) };
      const timeoutMs = takes === "all its time" ? TIMEOUT_MS : AMPLE_MS;
      const { reply, lateTurns, tookMs } = await sendTimed(subject, receiver.url, timeoutMs);
      expect(reply).toMatchObject(expected);
      // The time begins when the request has crossed.
      if (adapter !== "undici across a port") expect(lateTurns).toBeLessThanOrEqual(MAX_LATE_TURNS);
      // After an answer, more of its body may come, so a timer may be left; after silence none may be.
      if (reply.kind === "silent") expect(subject.pendingTimers()).toBe(0);
      if (takes === "all its time") expect(tookMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 1);
      if (takes === "a moment") expect(lateTurns).toBe(BEFORE_TIME);
      // The rest of an answer is read until the timeout.
      subject.skip(timeoutMs);

      await settles(() => isRested(receiver, subject, keptAfter(hostile)));
      expect(subject.pendingTimers()).toBe(0);
      if (adapter !== "fetch") {
        expect(receiver.openConnections()).toBeLessThanOrEqual(keptAfter(hostile));
        await subject.close();
        await settles(() => receiver.openConnections() === 0);
        expect(receiver.openConnections()).toBe(0);
        expect(receiver.connections()).toBeLessThanOrEqual(1);
      }
      await receiver.close();
    },
  );
});

function isRested(receiver: ScriptedReceiver, subject: Subject, kept: number): boolean {
  return receiver.openConnections() <= kept && subject.pendingTimers() === 0;
}

describe.concurrent.each(ALL_ADAPTERS)("over %s, on a connection that is used again,", (adapter) => {
  const byName = new Map(HOSTILE_RECEIVERS.map((hostile) => [hostile.name, hostile]));

  // One that comes during the next request cannot be distinguished from its answer; this is a property of HTTP/1.1.
  it.each([
    { name: "secondResponseOnIdle", pauseMs: 150 },
    { name: "secondResponseAtOnce", pauseMs: 0 },
  ])("an unrequested second answer is never credited to the next request ($name)", async ({ name, pauseMs }) => {
    const receiver = await startReceiver(byName.get(name)!.script, clock);
    const subject = openSubject(adapter);
    const words: string[] = [];
    for (let sent = 0; sent < 10; sent += 1) {
      words.push(wordFor(await subject.http.send(post(receiver.url, AMPLE_MS))));
      await pause(pauseMs);
    }
    expect(words).toEqual(words.map(() => "204"));
    expect([receiver.requests.length, receiver.connections()]).toEqual([10, 10]);
    await subject.close();
    await receiver.close();
  });

  it("a receiver that closes after each answer loses no request that it answered", async () => {
    const receiver = await startReceiver(byName.get("closeAfterFirst")!.script, clock);
    const subject = openSubject(adapter);
    const words: string[] = [];
    for (let sent = 0; sent < 100; sent += 1) {
      words.push(wordFor(await subject.http.send(post(receiver.url, AMPLE_MS))));
      if (sent % 2 === 0) await pause(1);
    }
    expect(words.filter((word) => word !== "204" && !isMishap(word))).toEqual([]);
    expect(receiver.requests.length).toBeGreaterThanOrEqual(words.filter((word) => word === "204").length);
    await subject.close();
    await receiver.close();
  });

  it("a receiver that stores and dies gets the same bytes again", async () => {
    const bodies: Uint8Array[] = [];
    const subject = openSubject(adapter);
    for (let round = 0; round < 2; round += 1) {
      const receiver = await startReceiver(byName.get("storesThenDies")!.script, clock);
      expect((await subject.http.send(post(receiver.url, AMPLE_MS))).kind).toBe("silent");
      bodies.push(...receiver.requests.map(({ body }) => body));
      expect((await subject.http.send(post(receiver.url, AMPLE_MS))).kind).toBe("silent");
    }
    expect(bodies).toEqual([post("", 0).body, post("", 0).body]);
    await subject.close();
  });
});

function isMishap(word: string): boolean {
  return ["connection-closed", "connection-reset", "bad-response", "network"].includes(word);
}

describe("the table of hostile receivers", () => {
  it("has each name once", () => {
    const names = HOSTILE_RECEIVERS.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z][A-Za-z0-9]+$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("is plain data", () => {
    expect(JSON.parse(JSON.stringify(HOSTILE_RECEIVERS))).toEqual(HOSTILE_RECEIVERS);
  });

  it("is in docs/hostile-receivers.md, with a row for each receiver", () => {
    const page = readFileSync(new URL("../../docs/hostile-receivers.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| `(\w+)` +\| ([^|]+?) +\|/gm)].map(([, name, does]) => ({ name, does }));
    expect(rows).toEqual(HOSTILE_RECEIVERS.map(({ name, does }) => ({ name, does })));
  });
});
