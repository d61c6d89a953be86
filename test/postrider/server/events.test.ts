// The events of a running server, read by a real client of server-sent events.

import { Agent, EventSource } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOKEN } from "../../canary.js";
import { configJson } from "../config-file.js";
import { api, receiverOf, serverOf, track } from "../server.js";

const AUTHORIZATION = `Bearer ${TOKEN}`;

/** A client that shows the token, as a browser's own cannot. */
function clientOf(url: string, kinds: readonly string[]) {
  const agent = new Agent();
  const dispatcher = agent.compose((dispatch) => (options, handler) => {
    const headers = { ...(options.headers as Record<string, string>), authorization: AUTHORIZATION };
    return dispatch({ ...options, headers }, handler);
  });
  const client = new EventSource(`${url}/api/events`, { dispatcher });
  const told: { readonly kind: string; readonly data: Record<string, unknown> }[] = [];
  for (const kind of kinds)
    client.addEventListener(kind, (event) => {
      const { data } = event as MessageEvent;
      told.push({ kind, data: JSON.parse(String(data)) as Record<string, unknown> });
    });
  onTestFinished(async () => {
    client.close();
    await agent.destroy();
  });
  return { client, told, opened: () => expect.poll(() => client.readyState).toBe(EventSource.OPEN) };
}

async function server(port = 0) {
  const receiver = await receiverOf();
  const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
  const listen = { host: "127.0.0.1", port };
  const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations, listen }));
  return { server, receiver };
}

describe("GET /api/events of a server", () => {
  it("tells a real client what becomes of a call", async () => {
    const { server: running } = await server();
    const { told, opened } = clientOf(running.url, ["accepted", "attempted", "delivered"]);
    await opened();
    await track(running.url, { messageId: "m1" });
    await expect.poll(() => told.map(({ kind }) => kind)).toEqual(["accepted", "attempted", "delivered"]);
    const [accepted, , delivered] = told;
    expect(delivered!.data).toMatchObject({ destination: "crm", messageId: "m1", detail: "200" });
    expect(accepted!.data["deliveries"]).toEqual([delivered!.data["delivery"]]);
  });

  it("ends at once when the server stops; the client comes back, and hears that it may have missed something", async () => {
    const first = await server();
    const { told, opened, client } = clientOf(first.server.url, ["dropped", "accepted"]);
    await opened();
    await track(first.server.url, { messageId: "m1" });
    await expect.poll(() => told.length).toBe(1);
    const whole = (await api(first.server.url, "events", TOKEN)).text();
    const stopped = first.server.stop();
    await expect.poll(() => client.readyState).toBe(EventSource.CONNECTING);
    await stopped;
    // It has ended: a connection that is cut would be an error.
    expect(await whole).toContain("retry: ");
    const second = await server(Number(new URL(first.server.url).port));
    await opened();
    await track(second.server.url, { messageId: "m2" });
    await expect.poll(() => told.length).toBe(3);
    expect(told.map(({ kind, data }) => [kind, data["messageId"] ?? data["events"]])).toEqual([
      ["accepted", "m1"],
      ["dropped", null],
      ["accepted", "m2"],
    ]);
  });
});
