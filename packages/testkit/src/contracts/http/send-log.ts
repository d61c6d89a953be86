// Counts what an adapter was asked to send, and checks each reply: a receiver must get one request for each, and no
// more. This holds in every case, so no case has to say so.

import { type Clock, type HttpRequest, MAX_EXCERPT_BYTES, type Reply } from "@postrider/core";
import { expectThat } from "../check.js";
import type { TestedHttp } from "./harness.js";
import type { Receiver } from "./receiver.js";

export interface SendLog {
  /** The same adapter, watched. */
  watch(http: TestedHttp): TestedHttp;
  /** Throws if a receiver got more requests than were sent to its port, or fewer than were answered. */
  expectCounts(receiver: Receiver, countsConnections: boolean): void;
}

interface Tally {
  sent: number;
  answered: number;
}

export function createSendLog(clock: Clock): SendLog {
  const tallies = new Map<number, Tally>();
  return {
    watch: (http) => ({
      send: (request) => sendWatched(http, request),
      close: async () => http.close?.(),
    }),
    expectCounts(receiver, countsConnections) {
      const { sent, answered } = tallyOf(receiver.port);
      const [begun, made] = [receiver.requestsBegun(), receiver.connections()];
      expectThat(begun <= sent, `${String(begun)} requests came, but only ${String(sent)} were to be sent`);
      expectThat(begun >= answered, `${String(answered)} requests were answered, but only ${String(begun)} came`);
      expectThat(
        !countsConnections || made <= sent,
        `${String(made)} connections came, but only ${String(sent)} requests were to be sent`,
      );
    },
  };

  function tallyOf(port: number): Tally {
    const tally = tallies.get(port) ?? { sent: 0, answered: 0 };
    tallies.set(port, tally);
    return tally;
  }

  async function sendWatched(http: TestedHttp, request: HttpRequest): Promise<Reply> {
    const tally = tallyOf(Number(new URL(request.url).port));
    tally.sent += 1;
    const startedAt = clock.monotonic();
    const reply = await http.send(request);
    if (reply.kind === "answered") tally.answered += 1;
    expectWellFormed(reply, clock.monotonic() - startedAt);
    return reply;
  }
}

/** A clock in whole milliseconds may round both ends. */
const ROUNDING_MS = 1;

function expectWellFormed(reply: Reply, tookMs: number): void {
  const { afterMs } = reply;
  const isPossible = afterMs >= 0 && afterMs <= tookMs + ROUNDING_MS;
  expectThat(isPossible, `afterMs is ${String(afterMs)}, but the request took ${String(tookMs)} ms`);
  if (reply.kind === "silent") return;
  const { status, excerpt } = reply;
  expectThat(Number.isInteger(status) && status >= 200 && status <= 599, `the status is ${String(status)}`);
  const limit = status <= 299 ? 0 : MAX_EXCERPT_BYTES;
  expectThat(excerpt.length <= limit, `the excerpt has ${String(excerpt.length)} bytes of at most ${String(limit)}`);
}
