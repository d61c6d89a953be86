// A caller with a key that makes single calls at an even rate, each over a new connection, regardless of the answers.
// Records the time and the answer of each call. It repeats no call, since a repeat would hide a loss.

import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { pause } from "../end-to-end/receiver.js";

/** The most connections that are open at once. */
const CONNECTIONS = 32;

export interface Made {
  readonly messageId: string;
  /** When the call was due, by `performance.now`. */
  readonly dueAt: number;
  /** When it was written to the connection. Later than due if this process or the server was late. */
  readonly writtenAt: number;
  /** When its connection was closed after the answer, or was cut. */
  readonly answeredAt: number;
  /** The status, or 0 if the connection was cut. */
  readonly status: number;
}

export interface Pace {
  readonly callsPerSecond: number;
  readonly forMs: number;
  /** The name of the call with this index, from 0. */
  readonly eventOf?: (index: number) => string;
}

/** Makes calls for this duration; resolves when each has an answer. */
export async function callEvenly(
  url: string,
  writeKey: string,
  { callsPerSecond, forMs, eventOf = () => "Signed Up" }: Pace,
): Promise<readonly Made[]> {
  const agent = new Agent({ keepAlive: false, maxSockets: CONNECTIONS });
  const total = Math.round((callsPerSecond * forMs) / 1_000);
  const startAt = performance.now();
  const under: Promise<Made>[] = [];
  while (under.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startAt) * callsPerSecond) / 1_000) + 1);
    for (let index = under.length; index < due; index += 1) {
      const dueAt = startAt + (index * 1_000) / callsPerSecond;
      under.push(callOnce({ url, writeKey, agent, event: eventOf(index), dueAt }));
    }
    await pause(Math.max(0, startAt + (under.length * 1_000) / callsPerSecond - performance.now()));
  }
  const made = await Promise.all(under);
  agent.destroy();
  return made;
}

interface Call {
  readonly url: string;
  readonly writeKey: string;
  readonly agent: Agent;
  readonly event: string;
  readonly dueAt: number;
}

function callOnce({ url, writeKey, agent, event, dueAt }: Call): Promise<Made> {
  const messageId = randomUUID();
  return new Promise((resolve) => {
    let writtenAt = NaN;
    const ended = (status: number): void => {
      resolve({ messageId, dueAt, writtenAt, answeredAt: performance.now(), status });
    };
    const headers = { authorization: `Basic ${Buffer.from(`${writeKey}:`).toString("base64")}` };
    const call = request(`${url}/v1/track`, { method: "POST", agent, headers }, (response) => {
      response.resume().once("close", () => {
        ended(response.statusCode ?? 0);
      });
    });
    call.once("error", () => {
      ended(0);
    });
    call.once("finish", () => {
      writtenAt = performance.now();
    });
    call.end(JSON.stringify({ messageId, userId: "u1", event }));
  });
}
