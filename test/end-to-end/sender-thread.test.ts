// A server that sends from a separate thread, with the real program: it delivers as one without, takes new settings, ends in
// order, and loses nothing when that thread dies or hangs. Needs `tsc -b`.

import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { listen } from "../loopback.js";
import { createReceiver, until } from "./receiver.js";
import { createScene, deliveries, destination, FAST, settled, SHORT_LEASE, track } from "./scene.js";
import { type RunOptions, serve, type ServerProcess } from "./server-process.js";

const TROUBLED = fileURLToPath(new URL("programs/troubled-thread.js", import.meta.url));
const SENDER = { senderThread: true };
const ALSO_PRIVATE = { ...SENDER, network: { allow: ["127.0.0.0/8", "10.0.0.0/8"] } };

describe.each([true, false])("a server with senderThread: %s", (senderThread) => {
  it("delivers, tries again, refuses and times out alike", async () => {
    const receivers = [await createReceiver(503), await createReceiver("silent"), await createReceiver(204)];
    const refusing = await createReceiver(422);
    const destinations = [
      destination(receivers.map(({ url }) => url)),
      destination([refusing.url], { id: "refusing" }),
      destination(["http://10.0.0.1/"], { id: "forbidden" }),
    ];
    const { config } = createScene(destinations, SHORT_LEASE, { senderThread });
    const server = await serve(config);
    expect(await track(server.url)).toBe(200);
    const attempts = async () =>
      (await deliveries(server.url))
        .flatMap(({ destination: id, state, attempts: made }) =>
          made.map(({ status, fault, verdict }) => `${id} ${state}: ${status ?? fault ?? ""} ${verdict}`),
        )
        .sort();
    await expect
      .poll(attempts)
      .toEqual([
        "crm delivered: 204 success",
        "crm delivered: 503 retry",
        "crm delivered: timeout retry",
        "refusing dead: 422 refused",
      ]);
    await expect.poll(() => isRefusedAddress(server)).toBe(true);
    const [timedOut] = (await deliveries(server.url)).flatMap(({ attempts: made }) =>
      made.filter(({ fault }) => fault === "timeout"),
    );
    expect(timedOut?.durationMs).toBeGreaterThanOrEqual(SHORT_LEASE.timeoutMs);
    expect(receivers[2]?.requests[0]?.message["event"]).toBe("Signed Up");
    expect(await server.end()).toEqual({ code: 0, signal: null });
  });

  it("logs an origin that answers twice", async () => {
    const { url, close } = await startTwiceAnswering();
    const { config } = createScene([destination([`${url}/hook`])], FAST, { senderThread });
    const server = await serve(config);
    expect(await track(server.url)).toBe(200);
    await until(() => hasLogged(server, "unasked-answer"), "the log of the second answer");
    expect(server.log().filter(({ code }) => code === "unasked-answer")).toMatchObject([
      { level: "warning", detail: url },
    ]);
    expect(await server.end()).toEqual({ code: 0, signal: null });
    await close();
  });
});

describe("a server that sends from a separate thread", () => {
  it("puts new network settings in force there, and returns to one thread and back", async () => {
    const receiver = await createReceiver(200);
    const destinations = [destination([receiver.url])];
    const scene = createScene(destinations, FAST, SENDER);
    const server = await serve(scene.config);
    let sent = 0;
    for (const settings of [SENDER, ALSO_PRIVATE, { senderThread: false }, SENDER]) {
      scene.rewrite(destinations, FAST, settings);
      await reloaded(server);
      await track(server.url);
      sent += 1;
      await receiver.count(sent);
    }
    scene.rewrite(destinations, FAST, { ...SENDER, network: { allow: [] } });
    await reloaded(server);
    await track(server.url);
    await expect.poll(() => isRefusedAddress(server)).toBe(true);
    expect(receiver.requests.length).toBe(sent);
    expect(server.log().filter(({ code }) => code === "needs-restart" || code === "sender-ended")).toEqual([]);
    expect((await server.end()).code).toBe(0);
  });

  it.each(["throw", "exit"])("starts it again when it dies by %s, and delivers then", async (trouble) => {
    const { server, receiver, mark, end } = await troubledServer(trouble);
    writeFileSync(mark, "");
    await until(() => hasLogged(server, "sender-ended"), "the end of the thread");
    await track(server.url);
    await until(() => hasLogged(server, "local-fault"), "a local fault");
    rmSync(mark);
    await receiver.count(1);
    const { attempts } = await settled(server.url, "delivered");
    expect(attempts.map(({ verdict }) => verdict)).toEqual(["success"]);
    await end();
  });

  it("ends it when it hangs, starts it again, and delivers then", async () => {
    const { server, receiver, mark, end } = await troubledServer("loop");
    writeFileSync(mark, "");
    await expect.poll(async () => (await track(server.url), hasLogged(server, "local-fault"))).toBe(true);
    rmSync(mark);
    await until(() => hasLogged(server, "sender-ended"), "the end of the thread");
    expect(server.log().find(({ code }) => code === "sender-ended")?.detail).toContain("does not answer");
    await expect.poll(async () => (await deliveries(server.url)).map(({ state }) => state)).not.toContain("claimed");
    await expect
      .poll(async () => (await deliveries(server.url)).every(({ state }) => state === "delivered"))
      .toBe(true);
    expect(receiver.requests.length).toBeGreaterThan(0);
    await end();
  });

  it("ends at a signal although that thread hangs", async () => {
    const { mark, server, end } = await troubledServer("loop");
    writeFileSync(mark, "");
    await expect.poll(async () => (await track(server.url), hasLogged(server, "local-fault"))).toBe(true);
    await end();
  });
});

/** A server whose sender gets into this trouble once the file `mark` exists. */
async function troubledServer(trouble: string) {
  const receiver = await createReceiver(200);
  const { config } = createScene([destination([receiver.url])], SHORT_LEASE, SENDER);
  const mark = join(dirname(config), "trouble");
  const env = { NODE_OPTIONS: `--import=${TROUBLED}`, TROUBLED: "sender", TROUBLE: trouble, TROUBLE_AT: mark };
  const server = await serve(config, { env } satisfies RunOptions);
  const end = async (): Promise<void> => expect(await server.end()).toEqual({ code: 0, signal: null });
  return { server, receiver, mark, end };
}

/** Whether a delivery waits since the address of its receiver was refused when it was to be sent. */
async function isRefusedAddress({ url }: ServerProcess): Promise<boolean> {
  return (await deliveries(url)).some(({ state, detail }) => state === "waiting" && detail === "forbidden-address");
}

function hasLogged(server: ServerProcess, code: string): boolean {
  return server.log().some((line) => line.code === code);
}

async function reloaded(server: ServerProcess): Promise<void> {
  const times = (): number => server.log().filter(({ code }) => code === "configured").length;
  const before = times();
  server.signal("SIGHUP");
  await until(() => times() > before, "the new settings");
}

/** A receiver that answers each request twice. */
async function startTwiceAnswering(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const answer = "HTTP/1.1 204 No Content\r\n\r\n";
  const receiver = createServer((socket) => {
    socket.on("error", () => socket.destroy()).on("data", () => socket.write(answer + answer));
  });
  const url = `http://127.0.0.1:${String(await listen(receiver))}`;
  return { url, close: () => new Promise((resolve) => receiver.close(() => resolve())) };
}
