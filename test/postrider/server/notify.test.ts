// A hook of a real server: what it is sent over a real socket, and what the metrics and the log say of it.

import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPostrider } from "postrider";
import { SECRET, TOKEN, WRITE_KEY } from "../../canary.js";
import { close, listen } from "../../loopback.js";
import { configJson } from "../config-file.js";
import { createSkippingClock, type SkippingClock } from "../skipping-clock.js";
import { refusingReceiver, serverOf, track } from "../server.js";

const A_SECOND_MS = 1_000;

interface Notified {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A hook that answers with these statuses, the last one from then on; it is closed after the test. */
async function hookOf(...statuses: readonly number[]) {
  const notified: Notified[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      notified.push({ headers: request.headers, text: Buffer.concat(chunks).toString() });
      response.writeHead(statuses[Math.min(notified.length, statuses.length) - 1] ?? 200).end();
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { url: `http://127.0.0.1:${String(port)}/hook`, notified };
}

/** Looks after a further second of the server's clock, each time it is asked. */
function passing<Seen>(clock: SkippingClock, look: () => Seen): () => Seen {
  return () => {
    clock.skip(A_SECOND_MS);
    return look();
  };
}

async function refusing() {
  return [{ id: "crm", sources: ["website"], endpoints: [{ url: await refusingReceiver() }] }];
}

describe("a hook of a server", () => {
  it("is told of a delivery that died, signed; metrics and log count it", async () => {
    const hook = await hookOf(200);
    const notify = [{ url: hook.url, sharedSecret: SECRET, headers: { "X-Room": "ops" } }];
    const clock = createSkippingClock();
    const json = configJson({ apiToken: TOKEN, destinations: await refusing(), notify });
    const { server, log } = await serverOf(json, {}, clock);
    await track(server.url);
    await expect.poll(passing(clock, () => hook.notified.length)).toBe(1);
    const [{ headers, text }] = hook.notified as [Notified];
    expect(JSON.parse(text)).toMatchObject({
      type: "notification",
      kind: "deaths",
      places: [{ destination: "crm", count: 1 }],
    });
    expect(headers["x-signature"]).toBe(createHmac("sha1", SECRET).update(text).digest("hex"));
    expect(headers["x-room"]).toBe("ops");
    await expect.poll(() => log.map(({ code }) => code)).toContain("notification-sent");
    const metrics = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(await metrics.text()).toContain('postrider_notifications_total{notification="deaths",outcome="sent"} 1');
  });

  it("gets nothing at an address that is not allowed, of which the log warns", async () => {
    const hook = await hookOf(200);
    const notify = [{ url: hook.url.replace("127.0.0.1", "10.11.12.13") }];
    const clock = createSkippingClock();
    const { server, log } = await serverOf(configJson({ destinations: await refusing(), notify }), {}, clock);
    expect(log.find(({ code }) => code === "forbidden-address")?.detail).toMatch(/^notify\[0\]\.url: /);
    await track(server.url);
    await expect
      .poll(passing(clock, () => log.find(({ code }) => code === "notification-failed")?.detail))
      .toBe("notify[0] deaths: forbidden-address");
  });
});

it("a hook of an embedded Postrider is told as that of a server is", async () => {
  const hook = await hookOf(503, 204);
  const clock = createSkippingClock();
  const postrider = await createPostrider({
    store: "memory:",
    sources: [{ id: "website", writeKey: WRITE_KEY }],
    destinations: await refusing(),
    notify: [{ url: hook.url, standardWebhooks: true, sharedSecret: SECRET, on: ["deaths"] }],
    network: { allow: ["127.0.0.0/8"] },
    logger: { log: () => undefined },
    clock,
  });
  onTestFinished(() => postrider.close());
  await postrider.accept("website", [{ type: "track", event: "Signed Up", userId: "u1" }]);
  await expect.poll(passing(clock, () => hook.notified.length)).toBe(2);
  const [first, again] = hook.notified as [Notified, Notified];
  expect(again.text).toBe(first.text);
  expect(again.headers["webhook-id"]).toBe((JSON.parse(first.text) as { id: string }).id);
});
