// The parts of the demo: the config of its server, as a user would write one; its sample calls, one of each kind; and the record of
// how and when their messages arrive at the receiver.

import type { CallKind, Clock, JsonObject, MonoMs, Random } from "@postrider/core";
import { Buffer } from "node:buffer";
import type { Host } from "../host.js";
import type { ReceivedMessage } from "../receiver/receiver.js";
import { sendJson, writeKeyHeader } from "../requests/ask-api.js";

export const DEMO_WRITE_KEY = "wk_demo";

/** The calls, each with the messageId that identifies its arrival. */
export const SAMPLE_CALLS: readonly {
  readonly kind: CallKind;
  readonly messageId: string;
  readonly call: JsonObject;
}[] = [
  sample("identify", { userId: "u1", traits: { name: "Ada", plan: "pro" } }),
  sample("track", { userId: "u1", event: "Order Completed", properties: { revenue: 39.95, currency: "EUR" } }),
  sample("page", { anonymousId: "a1", name: "Home", properties: { path: "/" } }),
  sample("screen", { userId: "u1", name: "Inbox", properties: { unread: 3 } }),
  sample("group", { userId: "u1", groupId: "g1", traits: { name: "Initech", employees: 329 } }),
  sample("alias", { userId: "u1", previousId: "a1" }),
];

export interface DemoSecrets {
  readonly apiToken: string;
  readonly sharedSecret: string;
}

/** Draws new secrets for each run, since other programs on this machine can reach the demo. */
export function drawSecrets(random: Random): DemoSecrets {
  const draw = (): string => Buffer.from(random.bytes(16)).toString("hex");
  return { apiToken: draw(), sharedSecret: draw() };
}

export interface DemoAddresses {
  readonly port: number;
  /** The path of the database. */
  readonly database: string;
  readonly receiverUrl: string;
}

/** The JSON of the config file. */
export function demoConfig({ port, database, receiverUrl }: DemoAddresses, secrets: DemoSecrets): object {
  return {
    listen: { host: "127.0.0.1", port },
    store: `sqlite:${database}`,
    apiToken: secrets.apiToken,
    sources: [{ id: "website", writeKey: DEMO_WRITE_KEY }],
    destinations: [
      {
        id: "receiver",
        sources: ["website"],
        endpoints: [{ url: `${receiverUrl}/hook` }],
        sharedSecret: secrets.sharedSecret,
      },
    ],
    network: { allow: ["127.0.0.0/8"] },
  };
}

function sample(kind: CallKind, fields: JsonObject): (typeof SAMPLE_CALLS)[number] {
  const messageId = `demo-${kind}`;
  return { kind, messageId, call: { messageId, ...fields } };
}

/** Resolves once all calls are answered. Reports calls that were not accepted on standard error. */
export async function sendSamples(host: Host, url: string, arrivals: Arrivals): Promise<void> {
  for (const { kind, messageId, call } of SAMPLE_CALLS) {
    arrivals.expect(messageId, kind);
    const result = await sendJson({
      url: `${url}/v1/${kind}`,
      authorization: writeKeyHeader(DEMO_WRITE_KEY),
      body: call,
      clock: host.clock,
    });
    if (result.kind === "unreachable") host.err(`postrider: ${result.reason}`);
    else if (result.status !== 200) host.err(`postrider: ${kind} was answered ${String(result.status)} ${result.text}`);
  }
}

export interface DemoArrival {
  readonly kind: CallKind;
  readonly signature: ReceivedMessage["signature"];
  /** From the start of the call until its message was received. */
  readonly latencyMs: number;
}

export interface Arrivals {
  /** To be called just before the call is made. */
  expect(messageId: string, kind: CallKind): void;
  /** Records a message; returns false for a message that was not expected, or has arrived before. */
  note(received: ReceivedMessage): boolean;
  /** The arrivals so far, in the order of `expect`. */
  list(): readonly DemoArrival[];
  /** Resolves once all expected messages have arrived. */
  all(): Promise<void>;
}

interface ExpectedCall {
  readonly kind: CallKind;
  readonly calledAt: MonoMs;
  readonly arrival?: DemoArrival;
}

export function createArrivals(clock: Clock): Arrivals {
  const expectedCalls = new Map<string, ExpectedCall>();
  let onNote: () => void = () => undefined;
  const list = (): readonly DemoArrival[] => [...expectedCalls.values()].flatMap(({ arrival }) => arrival ?? []);
  return {
    expect: (messageId, kind) => void expectedCalls.set(messageId, { kind, calledAt: clock.monotonic() }),
    note: ({ message, signature }) => {
      const messageId = message?.["messageId"];
      const expectedCall = typeof messageId === "string" ? expectedCalls.get(messageId) : undefined;
      if (typeof messageId !== "string" || expectedCall === undefined || expectedCall.arrival !== undefined)
        return false;
      const arrival = { kind: expectedCall.kind, signature, latencyMs: clock.monotonic() - expectedCall.calledAt };
      expectedCalls.set(messageId, { ...expectedCall, arrival });
      onNote();
      return true;
    },
    list,
    all: () =>
      new Promise((resolve) => {
        onNote = (): void => {
          if (list().length === expectedCalls.size) resolve();
        };
        onNote();
      }),
  };
}
