// The receivers of a simulation: an HTTP port that opens no socket and answers by the script of each receiver.

import { defined } from "@postrider/core/engine";
import {
  type Clock,
  type EndpointId,
  type Fault,
  type HttpPort,
  type HttpRequest,
  plusMs,
  type Random,
  type Reply,
} from "@postrider/core";
import type { ScriptedReply } from "@postrider/memory";
import type { ReceiverBehaviour, SimulatedReceiver, TroubledBehaviour } from "./simulation.js";

const DEFAULT_BEHAVIOUR: ReceiverBehaviour = { kind: "answers", status: 200, afterMs: 20 };

export interface ReceiversHttpOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly byEndpoint: ReadonlyMap<EndpointId, SimulatedReceiver>;
}

export function createReceiversHttp({ clock, random, byEndpoint }: ReceiversHttpOptions): HttpPort {
  /** The number of open requests of each endpoint. */
  const openCounts = new Map<EndpointId, number>();

  function count(endpoint: EndpointId, step: 1 | -1): void {
    openCounts.set(endpoint, (openCounts.get(endpoint) ?? 0) + step);
  }

  return {
    send: (request) => {
      const receiver = byEndpoint.get(request.url);
      if (receiver === undefined) return Promise.resolve(silentReply("connection-refused", 0));
      const behaviour = behaviourAt(receiver, clock.monotonic());
      const scripted = decide(behaviour, { request, random, open: openCounts.get(request.url) ?? 0 });
      const spreadMs = Math.floor(random.unit() * ((receiver.spreadMs ?? 0) + 1));
      count(request.url, 1);
      return replyInTime(clock, request, scripted, spreadMs).finally(() => count(request.url, -1));
    },
  };
}

/** The thread of one process that sends its requests. */
export interface SimulatedSender extends HttpPort {
  /** The thread dies: what is open fails at once, and so does what follows, until another one runs. */
  readonly kill: (downMs: number) => void;
}

/** Sends through `http`. A receiver gets each request that was sent, although the thread may die before the reply. */
export function createSimulatedSender(http: HttpPort, clock: Clock): SimulatedSender {
  const open = new Set<(reply: Reply) => void>();
  let runsAgainAt = clock.monotonic();

  return {
    send: (request) => {
      if (clock.monotonic() < runsAgainAt) return Promise.resolve(silentReply("local", 0));
      return new Promise((resolve) => {
        const settle = (reply: Reply): void => {
          if (open.delete(settle)) resolve(reply);
        };
        open.add(settle);
        void http.send(request).then(settle);
      });
    },
    kill: (downMs): void => {
      runsAgainAt = plusMs(clock.monotonic(), downMs);
      for (const settle of open) settle(silentReply("local", 0));
    },
  };
}

/** The behaviour of a receiver at an instant. */
export function behaviourAt(
  { usually = DEFAULT_BEHAVIOUR, spells = [] }: SimulatedReceiver,
  atMs: number,
): ReceiverBehaviour {
  const spell = spells.findLast(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
  return spell?.behaviour ?? usually;
}

interface ReceivedRequest {
  readonly request: HttpRequest;
  readonly random: Random;
  /** The number of other requests that are open at this endpoint. */
  readonly open: number;
}

function decide(behaviour: ReceiverBehaviour, received: ReceivedRequest): ScriptedReply {
  switch (behaviour.kind) {
    case "mixed":
      return pick(behaviour.of, received.random);
    case "troubled":
      return trouble(behaviour, received);
    case "answers":
    case "fails":
    case "hangs":
      return behaviour;
  }
}

function trouble(
  { usually, errors = 0, poisoned = 0, bears = Infinity }: TroubledBehaviour,
  { request, random, open }: ReceivedRequest,
): ScriptedReply {
  if (open >= bears) return { kind: "answers", status: 503 };
  const afterMs = usually.kind === "hangs" ? 0 : (usually.afterMs ?? 0);
  const isPoisoned = poisoned > 0 && shareOf(request.body) < poisoned;
  return isPoisoned || random.unit() < errors ? { kind: "answers", status: 500, afterMs } : usually;
}

/** A number from [0, 1) that is the same for the same bytes (FNV-1a, its bits mixed once more). */
function shareOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
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
  const reply = wantsMs > timeoutMs ? silentReply("timeout", afterMs) : replyOf(scripted, afterMs);
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
      return silentReply("timeout", afterMs);
    case "fails":
      return silentReply(scripted.fault, afterMs);
    case "answers": {
      const { status, retryAfter, excerpt = new Uint8Array() } = scripted;
      return { kind: "answered", status, afterMs, excerpt, ...defined({ retryAfter }) };
    }
  }
}

function silentReply(fault: Fault, afterMs: number): Reply {
  return { kind: "silent", fault, afterMs };
}
