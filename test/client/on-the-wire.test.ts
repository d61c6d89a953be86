// Compares the requests of our client with those of Segment's own library for Node, for the same calls: they are equal,
// except for the differences listed here. docs/guides/from-other-libraries.md gives the reasons.

import { createClient } from "@postrider/client";
import { Analytics } from "@segment/analytics-node";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { look } from "../canary.js";
import { close, listen } from "../loopback.js";

type Json = Readonly<Record<string, unknown>>;

interface Wire {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json & { readonly batch: readonly Json[] };
}

const AT = new Date("2026-01-31T12:00:00Z");
const CALLS = [
  ["identify", { userId: "u1", traits: { plan: "pro" }, context: { ip: "203.0.113.7" } }],
  ["track", { userId: "u1", event: "Signed Up", properties: { price: 1.5 }, integrations: { All: false, CRM: true } }],
  ["page", { userId: "u1", name: "Home", properties: { path: "/", title: "Home" }, timestamp: AT }],
  ["screen", { anonymousId: "a1", name: "Inbox", properties: { unread: 3 }, messageId: "m1" }],
  ["group", { userId: "u1", groupId: "g1", traits: { size: 3 } }],
  ["alias", { userId: "u1", previousId: "a1" }],
] as const;

interface Caller extends Readonly<Record<(typeof CALLS)[number][0], (call: never) => unknown>> {
  end(): Promise<unknown>;
}

async function wireOf(create: (url: string) => Caller): Promise<Wire> {
  const requests: Wire[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      look("a request", [request.url, request.headers]);
      requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body: JSON.parse(text) });
      response.end("{}");
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  const caller = create(`http://127.0.0.1:${port}`);
  for (const [type, call] of CALLS) caller[type](call as never);
  await caller.end();
  expect(requests).toHaveLength(1);
  return requests[0]!;
}

const ours = (url: string): Caller => {
  const client = createClient("key", { endpoint: url });
  return { ...client, end: () => client.close() };
};

const segments = (url: string): Caller => {
  const analytics = new Analytics({ writeKey: "key", host: url });
  const methods = CALLS.map(([type]) => [type, (call: never) => analytics[type](call)] as const);
  return { ...Object.fromEntries(methods), end: () => analytics.closeAndFlush() } as unknown as Caller;
};

describe("the request on the wire", () => {
  it("shows the key without the blanks and line ends around it", async () => {
    const tidy = await wireOf(ours);
    const untidy = await wireOf((url) => {
      const client = createClient(" key\r\n", { endpoint: url });
      return { ...client, end: () => client.close() };
    });
    expect(untidy.headers.authorization).toBe(tidy.headers.authorization);
  });

  it("is the one that Segment's library makes, except for the listed differences", async () => {
    const [our, their] = [await wireOf(ours), await wireOf(segments)];
    expect(our.line).toBe("POST /v1/batch");
    expect(our.line).toBe(their.line);
    for (const name of ["authorization", "content-type", "accept", "connection"]) {
      expect(our.headers[name], name).toBe(their.headers[name]);
    }
    expect([our.headers["user-agent"], their.headers["user-agent"]]).toEqual(["node", "analytics-node-next/latest"]);

    expect(Object.keys(our.body).toSorted()).toEqual(["batch", "sentAt"]);
    expect(Object.keys(their.body).toSorted()).toEqual(["batch", "sentAt", "writeKey"]);
    const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
    for (const { sentAt } of [our.body, their.body]) expect(sentAt).toMatch(iso);

    for (const [index, call] of our.body.batch.entries()) {
      const { messageId, timestamp, context, ...rest } = call;
      const { _metadata, ...other } = their.body.batch[index]!;
      expect(_metadata).toEqual({ nodeVersion: process.version, jsRuntime: "node" });
      for (const time of [timestamp, other["timestamp"]]) expect(time).toMatch(iso);
      const asked = CALLS[index]![1] as Json;
      if ("timestamp" in asked) expect([timestamp, other["timestamp"]]).toEqual([AT.toISOString(), AT.toISOString()]);
      if ("messageId" in asked) expect([messageId, other["messageId"]]).toEqual(["m1", "m1"]);
      else
        expect([messageId, other["messageId"]]).toEqual([
          expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/),
          expect.stringMatching(/^node-next-\d+-[\da-f-]{36}$/),
        ]);
      const library = { name: "@segment/analytics-node", version: "3.1.0" };
      expect(other["context"]).toEqual({ ...(context as Json), library });
      // Segment's library adds integrations to every call, ours only if the caller gave some.
      expect({ integrations: {}, ...rest }).toEqual({
        ...other,
        context: undefined,
        messageId: undefined,
        timestamp: undefined,
      });
    }
  });
});
