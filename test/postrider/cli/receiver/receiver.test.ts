import { signBody } from "@postrider/core";
import { createSystemClock } from "@postrider/system";
import { afterEach, describe, expect, it } from "vitest";
import { listenOn } from "../../../../packages/postrider/src/server/listen-on.js";
import {
  createReceiver,
  type ReceivedMessage,
  type ReceiverOptions,
  receivedLine,
} from "../../../../packages/postrider/src/cli/receiver/receiver.js";

const BODY = '{"version":1,"type":"track","event":"Naïve"}';
const endings: (() => void)[] = [];

afterEach(() => {
  for (const end of endings.splice(0)) end();
});

async function receiver(options: Partial<ReceiverOptions> = {}) {
  const received: ReceivedMessage[] = [];
  const server = createReceiver({
    status: 200,
    delayMs: 0,
    clock: createSystemClock(),
    onReceived: (message) => received.push(message),
    ...options,
  });
  const listening = await listenOn(server, { host: "127.0.0.1", port: 0 });
  if (listening.kind === "refused") throw new Error(listening.reason);
  endings.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(listening.url, { method: "POST", body, headers });
  return { url: listening.url, received, post };
}

function signature(secret: string, body: string): Record<string, string> {
  return { "x-signature": signBody(secret, new TextEncoder().encode(body)) };
}

describe("a receiver", () => {
  it("answers with the given status", async () => {
    for (const status of [200, 204, 404, 503]) {
      const { post } = await receiver({ status });
      expect((await post(BODY)).status).toBe(status);
    }
  });

  it("distinguishes a good signature from a wrong and a missing one", async () => {
    const { post, received } = await receiver({ secret: "s3cret" });
    await post(BODY, signature("s3cret", BODY));
    await post(BODY, signature("other", BODY));
    await post(BODY, signature("s3cret", `${BODY} `));
    await post(BODY);
    expect(received.map((message) => message.signature)).toEqual(["ok", "wrong", "wrong", "missing"]);
  });

  it("checks no signature without a secret", async () => {
    const { post, received } = await receiver();
    await post(BODY, signature("s3cret", BODY));
    expect(received[0]?.signature).toBe("not checked");
  });

  it("answers after the given delay", async () => {
    const { post } = await receiver({ delayMs: 120 });
    const before = performance.now();
    await post(BODY);
    expect(performance.now() - before).toBeGreaterThanOrEqual(119);
  });

  it("accepts only POST", async () => {
    const { url, received } = await receiver();
    expect((await fetch(url)).status).toBe(405);
    expect(received).toEqual([]);
  });

  it("refuses a body that is longer than any message", async () => {
    const { post, received } = await receiver();
    expect((await post("x".repeat(1_048_577))).status).toBe(413);
    expect(received).toEqual([]);
  });
});

describe("the line of a message", () => {
  it("has the kind, the signature and the whole message", async () => {
    const { post, received } = await receiver({ secret: "s" });
    await post(BODY, signature("s", BODY));
    expect(receivedLine(received[0]!)).toMatch(/^\d{4}-\S+Z {2}track {2}signature ok {2}\{"version":1.*Naïve"\}$/);
  });

  it.each([
    ["no JSON", "a\nb\u001b[31m"],
    ["no object", "[1,\n2]"],
    ["a kind that is none", '{"type":"a\\nb"}'],
  ])("is one line for %s", async (_, body) => {
    const { post, received } = await receiver();
    await post(body);
    const line = receivedLine(received[0]!);
    expect(line).toContain("  unknown  signature not checked  ");
    expect(line).not.toContain("\n");
    expect(line).not.toContain("\u001b");
  });
});
