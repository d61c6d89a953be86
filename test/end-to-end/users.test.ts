// Users and audiences through the real program: a server with a file, the command line as a process, receivers on real
// sockets.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { HTTP_LIMITS } from "../../packages/postrider/src/server/http-limits.js";
import { TOKEN } from "../canary.js";
import { configJson } from "../postrider/config-file.js";
import { api, receiverOf, serverOf } from "../postrider/server.js";
import { createSkippingClock } from "../postrider/skipping-clock.js";
import { callRaw, chunked, post, statusesIn } from "./raw-caller.js";
import { createReceiver, type Receiver } from "./receiver.js";
import { ask, createScene, destination, track } from "./scene.js";
import { runProcess, serve } from "./server-process.js";

/** The changes of `vip` that a receiver got since `from`, by user. */
function heard({ requests }: Receiver, from: number): Readonly<Record<string, unknown>> {
  const told = requests.slice(from).map(({ message }) => message as { userId: string; traits: { vip: boolean } });
  return Object.fromEntries(told.map(({ userId, traits }) => [userId, traits.vip]));
}

describe("an audience", () => {
  it("sends each destination its changes, sync by sync, through a restart", async () => {
    const [crm, mail] = [await createReceiver(200), await createReceiver(200)];
    const settings = [destination([crm.url], { id: "crm" }), destination([mail.url], { id: "mail" })];
    const { config } = createScene(settings);
    let server = await serve(config);
    const file = join(dirname(config), "members.csv");
    const audience = async (...words: readonly string[]): Promise<void> => {
      const { exit, err } = runProcess(["audience", ...words, "--url", server.url, "--token", TOKEN]);
      // A sync may take some time, so there may be lines of progress.
      expect((await exit).code, err.join("\n")).toBe(0);
    };
    const sync = async (members: readonly string[]): Promise<readonly unknown[]> => {
      const from = [crm.requests.length, mail.requests.length];
      writeFileSync(file, ["user_id", ...members].join("\n"));
      await audience("sync", "vip", file);
      const stats = async () => await ask<{ waiting: number; claimed: number }>(server.url, "stats");
      await expect.poll(stats).toMatchObject({ waiting: 0, claimed: 0 });
      return [heard(crm, from[0]!), heard(mail, from[1]!)];
    };
    await audience("create", "VIP", "--destination", "crm");
    expect(await sync(["a", "b"])).toEqual([{ a: true, b: true }, {}]);
    expect(await sync(["b", "c", "a"])).toEqual([{ c: true }, {}]);
    expect(await sync(["c"])).toEqual([{ a: false, b: false }, {}]);
    expect(await sync(["c", "c"])).toEqual([{}, {}]);
    await server.end();
    server = await serve(config);
    expect(await sync(["a", "c"])).toEqual([{ a: true }, {}]);
    const body = JSON.stringify({ destinations: ["crm", "mail"] });
    const headers = { authorization: `Bearer ${TOKEN}` };
    await fetch(`${server.url}/api/audiences/vip/destinations`, { method: "POST", headers, body });
    expect(await sync(["a", "c"])).toEqual([{}, { a: true, c: true }]);
    expect(await sync([])).toEqual([
      { a: false, c: false },
      { a: false, c: false },
    ]);
    expect(await sync([])).toEqual([{}, {}]);
    expect((await server.end()).code).toBe(0);
  });
});

describe("a suppressed user", () => {
  it("causes nothing to be stored or sent, through a restart", async () => {
    const crm = await createReceiver(200);
    const { config } = createScene([destination([crm.url])]);
    let server = await serve(config);
    const { exit } = runProcess(["suppress", "u1", "--url", server.url, "--token", TOKEN]);
    expect((await exit).code).toBe(0);
    expect(await track(server.url, { userId: "u1" })).toBe(200);
    await server.end();
    server = await serve(config);
    expect(await track(server.url, { userId: "u1" })).toBe(200);
    expect(await track(server.url, { userId: "u2" })).toBe(200);
    await crm.count(1);
    expect(await ask(server.url, "stats")).toMatchObject({ accepted: 1, suppressed: 2 });
    expect((await ask<{ deliveries: readonly object[] }>(server.url, "deliveries")).deliveries).toHaveLength(1);
    expect(crm.requests.map(({ message }) => message["userId"])).toEqual(["u2"]);
  });
});

describe("an upload of members", () => {
  const HEAD = `POST /api/audiences/vip/sync HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\n`;
  const CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";

  async function started(limits: Parameters<typeof serverOf>[1]) {
    const clock = createSkippingClock();
    const receiver = await receiverOf();
    const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
    const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations }), limits, clock);
    await fetch(`${server.url}/api/audiences`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ name: "VIP", destinations: ["crm"] }),
    });
    const vip = async (): Promise<unknown> => (await api(server.url, "audiences/vip", TOKEN)).json();
    return { receiver, url: server.url, vip, clock };
  }

  it("may take longer than any other request, as long as bytes arrive", async () => {
    const { receiver, url, vip, clock } = await started({});
    const caller = await callRaw(url);
    caller.write(`${HEAD}${CHUNKED}`);
    const other = await callRaw(url);
    other.write(post("{", { headers: "Content-Length: 100\r\n" }));
    await expect.poll(vip).toMatchObject({ running: { phase: expect.any(String) as string } });
    clock.skip(HTTP_LIMITS.requestTimeoutMs);
    expect(statusesIn(await other.closed())).toEqual([408]);
    for (let user = 0; user < 10; user += 1) {
      caller.write(chunked(`"u${String(user)}"\n`));
      clock.skip(HTTP_LIMITS.requestTimeoutMs);
    }
    caller.write("0\r\n\r\n");
    await caller.heard('"members":10');
    await receiver.count(10);
  });

  it("without progress is cut off, nothing is sent, and the next upload is accepted", async () => {
    const { receiver, url, vip } = await started({ idleMs: 1_500 });
    const caller = await callRaw(url);
    caller.write(`${HEAD}${CHUNKED}${chunked('"u1"\n')}`);
    await caller.closed();
    await expect.poll(vip).toMatchObject({ running: null, last: null });
    expect(receiver.messages).toEqual([]);
    const again = await callRaw(url);
    again.write(`${HEAD}Content-Length: 5\r\n\r\n"u2"\n`);
    await again.heard('"members":1');
    await receiver.count(1);
  });

  it("without the token is answered before it is read", async () => {
    const { url } = await started({});
    const caller = await callRaw(url);
    caller.write(`${HEAD.replace(TOKEN, "wrong")}${CHUNKED}${chunked('"u1"\n')}`);
    expect(statusesIn(await caller.closed())).toEqual([401]);
  });
});
