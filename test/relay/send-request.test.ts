// A request of the relay has the reply of its port, also if the process stood still as that reply came.

import type { EndpointId, HttpRequest, Reply } from "@postrider/core";
import { createDeadlines } from "@postrider/core/engine";
import { createManualClock, createMemoryStore, createScriptedHttp } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SEND_SLACK_MS } from "../../packages/relay/src/limits.js";
import { sendRequest } from "../../packages/relay/src/send-request.js";
import { createKillablePorts } from "../../packages/simulator/src/simulated-host/killable-ports.js";
import "../property.js";

const TIMEOUT_MS = 1_000;

/** A process that can stand still, and sends requests that are answered after given times. */
function scene() {
  const clock = createManualClock();
  const replies: string[] = [];
  const http = createScriptedHttp({
    clock,
    script: ({ url }) => ({ kind: "answers", status: 200, afterMs: Number(new URL(url).pathname.slice(1)) }),
  });
  const ports = createKillablePorts({ clock, store: createMemoryStore(), http });
  const context = { http: ports.http, clock: ports.clock, deadlines: createDeadlines(ports.clock) };
  return {
    clock,
    ports,
    replies,
    send: (afterMs: number): void => sendRequest(post(afterMs), context, (reply) => replies.push(stateOf(reply))),
  };
}

function post(afterMs: number): HttpRequest {
  const url = `https://a.example/${String(afterMs)}` as EndpointId;
  return { url, headers: [], body: new Uint8Array(), timeoutMs: TIMEOUT_MS };
}

function stateOf(reply: Reply): string {
  return reply.kind === "silent" ? reply.fault : String(reply.status);
}

describe("a request", () => {
  it("has the reply that came while the process stood still, beyond its deadline too", async () => {
    const { clock, ports, replies, send } = scene();
    // The timer that all deadlines share waits for that of the first request, which ends before.
    send(1_000);
    await clock.advance(900);
    send(1_000);
    await clock.advance(900);
    send(700);
    await clock.advance(150);
    ports.freeze();
    await clock.advance(10_000);
    ports.thaw();
    await clock.advance(0);
    expect(replies).toEqual(["200", "200", "200"]);
  });

  it("has the reply of its port however long the process stands still, and whenever", async () => {
    // One request is nearly always open, so that the timer that all share was set for an earlier one.
    const gap = fc.integer({ min: 0, max: 900 });
    const afterMs = fc.integer({ min: TIMEOUT_MS / 2, max: TIMEOUT_MS });
    const requestList = fc.array(fc.record({ gapMs: gap, afterMs }), { minLength: 3, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(requestList, gap, fc.integer({ min: 0, max: 10_000 }), async (requests, beforeMs, stillMs) => {
        const { clock, ports, replies, send } = scene();
        for (const { gapMs, afterMs } of requests) {
          await clock.advance(gapMs);
          send(afterMs);
        }
        await clock.advance(beforeMs);
        ports.freeze();
        await clock.advance(stillMs);
        ports.thaw();
        await clock.advance(TIMEOUT_MS + SEND_SLACK_MS);
        expect(replies).toEqual(requests.map(() => "200"));
      }),
    );
  });

  it("has a local fault if its port does not answer, once", async () => {
    const clock = createManualClock();
    const replies: Reply[] = [];
    const http = { send: () => new Promise<Reply>(() => undefined) };
    const context = { http, clock, deadlines: createDeadlines(clock) };
    sendRequest(post(0), context, (reply) => replies.push(reply));
    await clock.advance(TIMEOUT_MS + SEND_SLACK_MS - 1);
    expect(replies).toEqual([]);
    await clock.advance(60_000);
    expect(replies).toEqual([{ kind: "silent", fault: "local", afterMs: TIMEOUT_MS + SEND_SLACK_MS }]);
  });
});
