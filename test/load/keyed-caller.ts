// A caller that keeps its key and its pace: single calls at an even rate, each over a connection of its own, whatever becomes
// of them. Notes when each was made and what was answered; it repeats nothing, since a repeat would hide a loss.

import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { pause } from "../end-to-end/receiver.js";

/** Open at once. */
const CONNECTIONS = 32;

export interface Made {
  readonly messageId: string;
  /** By `performance.now`, of the moment at which it was due. */
  readonly dueAt: number;
  /** When all of it was handed to the connection. Later than due where this process or the way in was late. */
  readonly writtenAt: number;
  /** When its connection had closed behind the answer, or was cut. */
  readonly answeredAt: number;
  /** The status, or 0 if the connection was cut. */
  readonly status: number;
}

export interface Pace {
  readonly callsPerSecond: number;
  readonly forMs: number;
  /** The name of the call so many calls after the first. */
  readonly eventOf?: (index: number) => string;
}

/** Makes calls for so long; resolves when each has an answer. */
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
