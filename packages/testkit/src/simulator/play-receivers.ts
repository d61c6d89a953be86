// The receivers of a simulation: an HTTP port that opens no socket and answers as the script of each receiver says.

import type { Clock, EndpointId, Fault, HttpPort, HttpRequest, Random, Reply } from "@postrider/core";
import type { ScriptedReply } from "@postrider/memory";
import type { Behaviour, Receiver } from "./simulation.js";

const USUALLY: Behaviour = { kind: "answers", status: 200, afterMs: 20 };

export interface ReceiversOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly byEndpoint: ReadonlyMap<EndpointId, Receiver>;
}

export function playReceivers({ clock, random, byEndpoint }: ReceiversOptions): HttpPort {
  return {
    send: (request) => {
      const receiver = byEndpoint.get(request.url);
      if (receiver === undefined) return Promise.resolve(silent("connection-refused", 0));
      const behaviour = behaviourAt(receiver, clock.monotonic());
      const scripted = behaviour.kind === "mixed" ? pick(behaviour.of, random) : behaviour;
      const spreadMs = Math.floor(random.unit() * ((receiver.spreadMs ?? 0) + 1));
      return replyInTime(clock, request, scripted, spreadMs);
    },
  };
}

/** What a receiver does at an instant. */
export function behaviourAt({ usually = USUALLY, spells = [] }: Receiver, atMs: number): Behaviour {
  const spell = spells.findLast(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
  return spell?.behaviour ?? usually;
}

function pick(replies: readonly ScriptedReply[], random: Random): ScriptedReply {
  return replies[Math.floor(random.unit() * replies.length)] ?? { kind: "hangs" };
}

function replyInTime(
  clock: Clock,
  { timeoutMs }: HttpRequest,
  scripted: ScriptedReply,
  spreadMs: number,
): Promise<Reply> {
  const wantsMs = scripted.kind === "hangs" ? Infinity : (scripted.afterMs ?? 0) + spreadMs;
  const afterMs = Math.min(wantsMs, timeoutMs);
  const reply = wantsMs > timeoutMs ? silent("timeout", afterMs) : replyOf(scripted, afterMs);
  if (afterMs === 0) return Promise.resolve(reply);
  return new Promise((resolve) => {
    clock.after(afterMs, () => {
      resolve(reply);
    });
  });
}

function replyOf(scripted: ScriptedReply, afterMs: number): Reply {
  switch (scripted.kind) {
    case "hangs":
      return silent("timeout", afterMs);
    case "fails":
      return silent(scripted.fault, afterMs);
    case "answers": {
      const { status, retryAfter, excerpt = new Uint8Array() } = scripted;
      return { kind: "answered", status, afterMs, excerpt, ...(retryAfter === undefined ? {} : { retryAfter }) };
    }
  }
}

function silent(fault: Fault, afterMs: number): Reply {
  return { kind: "silent", fault, afterMs };
}
