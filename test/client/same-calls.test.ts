// The same calls by analytics-node, by our client and by an embedded Postrider: what a receiver gets of each. The differences are those of
// the table in docs/guides/from-other-libraries.md, each with its reason, and no others.

import { createClient } from "@postrider/client";
import { readReceivedCall } from "@postrider/relay/settings";
import { epochMs, type JsonObject } from "@postrider/core";
import { isPlainObject, mapCall, parseTimestamp, stampCall } from "@postrider/core/engine";
import { Analytics } from "@segment/analytics-node";
import { beforeAll, describe, expect, it } from "vitest";
import { createSourceCalls } from "../../packages/postrider/src/assembly/source-calls.js";
import { read } from "../house/packages.js";
import { openWorld, soundDeliveries, WEBSITE } from "../vectors/corpus/world.js";
import { DIFFERENCES } from "./differences.js";
import { ODD_CALLS, type OddCall } from "./odd-calls.js";

const URL_OF_SERVER = "http://127.0.0.1:9";

/** The message that arrives, without what is each library's by nature; undefined if none arrives. */
type Arrival = JsonObject | undefined;

interface Caller {
  make(call: OddCall): Promise<Arrival>;
  close(): Promise<unknown>;
}

/** analytics-node: a call throws, is reported as an error, or is sent. */
function theirs(): Caller {
  let settle: (body: string | undefined) => void;
  const send = (_: string, { body }: { readonly body: string }): Promise<Response> => {
    settle(body);
    return Promise.resolve(new Response("{}"));
  };
  const analytics = new Analytics({ writeKey: "k", host: URL_OF_SERVER, flushAt: 1, httpClient: send });
  analytics.on("error", () => settle(undefined));
  return {
    make: async ({ type, make }) => {
      if (!isWritable(make())) return undefined;
      const settled = new Promise<string | undefined>((resolve) => (settle = resolve));
      try {
        analytics[type](make() as never);
      } catch {
        return undefined;
      }
      const body = await settled;
      return body === undefined ? undefined : arrivalOf(body);
    },
    close: () => analytics.closeAndFlush(),
  };
}

/** What `JSON.stringify` throws on is tried again and again by analytics-node, and never sent. */
function isWritable(call: unknown): boolean {
  try {
    JSON.stringify(call);
    return true;
  } catch {
    return false;
  }
}

function ours(): Caller {
  const bodies: string[] = [];
  const transport = (_: string, { body }: { readonly body: string | Uint8Array }): Promise<Response> => {
    bodies.push(body as string);
    return Promise.resolve(new Response("{}"));
  };
  const client = createClient("k", { endpoint: URL_OF_SERVER, flushAt: 1, transport });
  return {
    make: async ({ type, make }) => {
      if (client[type](make() as never).kind === "refused") return undefined;
      await client.flush();
      return arrivalOf(bodies.at(-1)!);
    },
    close: () => client.close(),
  };
}

function embeds(): Caller {
  const world = openWorld();
  const calls = createSourceCalls(world.relay());
  return {
    make: async ({ type, make }) => {
      const { kind } = await calls[type](WEBSITE, make() as never);
      if (kind !== "accepted") return undefined;
      return ownPart((await soundDeliveries(world)).at(-1)!, EMBEDDED_AT);
    },
    close: () => Promise.resolve(),
  };
}

/** Reads the request as ingest does. */
function arrivalOf(body: string): Arrival {
  const { batch } = JSON.parse(body) as { readonly batch: readonly [JsonObject] };
  const now = epochMs(Date.now());
  const received = readReceivedCall(asIngestTakes(batch[0]));
  if (received.kind === "refused") return undefined;
  const message = mapCall(stampCall(received.call, { messageId: "made by the server" }, now));
  return ownPart(JSON.parse(JSON.stringify(message)) as JsonObject, now);
}

/** Ingest takes a date that it cannot read, and an empty list in place of an object, as absent. */
function asIngestTakes(call: JsonObject): JsonObject {
  const isRead = typeof call["timestamp"] === "string" && parseTimestamp(call["timestamp"]) !== undefined;
  const fields = Object.entries(call).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  return { ...Object.fromEntries(fields), timestamp: isRead ? call["timestamp"] : undefined };
}

/** The message without the ids and times that each library makes, and without its name. */
function ownPart(message: JsonObject, now: number): JsonObject {
  const { messageId, timestamp, context } = message;
  const { library, ...others } = context as JsonObject;
  const isOwnLibrary = isPlainObject(library) && library["name"] === "own";
  return {
    ...Object.fromEntries(Object.entries(message).filter(([name]) => !MADE.has(name))),
    context: isOwnLibrary ? { ...others, library } : others,
    ...(messageId === "m1" ? { messageId } : {}),
    ...(Math.abs(Date.parse(timestamp as string) - now) < HOUR_MS ? {} : { timestamp }),
  };
}

const MADE = new Set("messageId timestamp context version receivedAt sentAt originalTimestamp".split(" "));
const HOUR_MS = 3_600_000;
/** The time of the embedded Postrider. */
const EMBEDDED_AT = Date.parse("2026-01-31T12:00:00Z");

interface Compared {
  readonly call: OddCall;
  readonly their: Arrival;
  readonly our: Arrival;
  readonly embedded: Arrival;
}

describe("odd calls", () => {
  const all: Compared[] = [];
  beforeAll(async () => {
    const callers = [theirs(), ours(), embeds()] as const;
    for (const call of ODD_CALLS) {
      const [their, our, embedded] = [
        await callers[0].make(call),
        await callers[1].make(call),
        await callers[2].make(call),
      ];
      all.push({ call, their, our, embedded });
    }
    await Promise.all(callers.map((caller) => caller.close()));
  });

  it("arrive alike by analytics-node and by our client, except for the differences that the guide lists", () => {
    expect(all.length).toBeGreaterThan(600);
    const differing = all.filter(({ their, our }) => !isSame(their, our));
    const unlisted = differing.filter(({ call }) => DIFFERENCES.filter(({ isOf }) => isOf(call)).length !== 1);
    expect(unlisted.map(({ call, their, our }) => ({ call: call.name, their, our }))).toEqual([]);
    for (const { what, isOf, arrives } of DIFFERENCES) {
      const found = differing.filter(({ call }) => isOf(call));
      expect(found.length, what).toBeGreaterThan(0);
      for (const { call, their, our } of found) {
        const [byTheirs, byOurs] = [their !== undefined, our !== undefined];
        expect({ call: call.name, byTheirs, byOurs }).toEqual({ call: call.name, ...arrives });
      }
    }
  });

  it("arrive alike by our client and by an embedded Postrider", () => {
    const judgedByIngest = ({ name }: OddCall): boolean =>
      name.endsWith(" as timestamp") || name.startsWith("a timestamp") || name.startsWith("the empty list");
    const differing = all.filter(({ call, our, embedded }) => !judgedByIngest(call) && !isSame(our, embedded));
    expect(differing.map(({ call, our, embedded }) => ({ call: call.name, our, embedded }))).toEqual([]);
    const dates = all.filter(({ call, embedded }) => call.name.endsWith(" as timestamp") && embedded !== undefined);
    for (const { call, our, embedded } of dates) expect(isSame(our, embedded), call.name).toBe(true);
  });

  it("differ as the guide says", () => {
    const rows = DIFFERENCES.map(({ what, theirs: their, ours: our, why }) => [what, their, our, why]);
    expect(tableUnder("**The same calls.**", read("docs/guides/from-other-libraries.md"))).toEqual(rows);
  });
});

function isSame(one: Arrival, other: Arrival): boolean {
  try {
    expect(one).toEqual(other);
    return true;
  } catch {
    return false;
  }
}

/** The cells of the first table behind these words, without its head. */
function tableUnder(words: string, text: string): readonly (readonly string[])[] {
  const lines = text.slice(text.indexOf(words)).split("\n");
  const from = lines.findIndex((line) => line.startsWith("|"));
  const table = lines.slice(from, from + lines.slice(from).findIndex((line) => !line.startsWith("|")));
  return table.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
