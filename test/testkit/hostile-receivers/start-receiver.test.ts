import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { createSystemClock } from "@postrider/system";
import {
  answeringScript,
  createSelfSignedCertificate,
  type ReceiverScript,
  type ScriptedReceiver,
  startReceiver,
  type ScriptStep,
} from "@postrider/testkit/hostile-receivers";
import { describe, expect, it, onTestFinished } from "vitest";
import { createCountingClock } from "../../hostile/measure.js";

const clock = createSystemClock();
const REQUEST = "POST /hook HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody";

async function start(script: ReceiverScript): Promise<ScriptedReceiver> {
  const receiver = await startReceiver(script, clock);
  onTestFinished(() => receiver.close());
  return receiver;
}

function startSteps(...steps: readonly ScriptStep[]): Promise<ScriptedReceiver> {
  return start({ steps });
}

/** Sends these parts one after the other, and returns all that is received until the connection ends. */
async function converse(receiver: ScriptedReceiver, ...parts: readonly string[]) {
  const socket = connect(receiver.port, "127.0.0.1");
  const ended = hear(socket);
  for (const part of parts) {
    socket.write(part);
    await pause(10);
  }
  return ended;
}

function hear(socket: Socket): Promise<{ readonly heard: string; readonly code: string | undefined }> {
  return new Promise((resolve) => {
    let heard = "";
    let code: string | undefined;
    socket.on("data", (chunk: Buffer) => (heard += chunk.toString("latin1")));
    socket.on("error", (error: NodeJS.ErrnoException) => (code = error.code));
    socket.on("close", () => resolve({ heard, code }));
  });
}

function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}

describe("a receiver by script", () => {
  it("reads whole requests, however they are cut, and records them byte for byte", async () => {
    const receiver = await startSteps({ kind: "reads" }, { kind: "reads" }, { kind: "ends" });
    await converse(
      receiver,
      REQUEST.slice(0, 20),
      `${REQUEST.slice(20)}POST / HTTP/1.1\r\ncontent-le`,
      "ngth: 1\r\n\r\nx",
    );
    expect(receiver.requests.map(({ head }) => head.split("\r\n")[0])).toEqual([
      "POST /hook HTTP/1.1",
      "POST / HTTP/1.1",
    ]);
    expect(receiver.requests.map(({ body }) => new TextDecoder().decode(body))).toEqual(["body", "x"]);
  });

  it("sends any bytes, one for each character", async () => {
    const text = String.fromCharCode(...Array.from({ length: 256 }, (_, index) => index));
    const receiver = await startSteps({ kind: "says", text }, { kind: "ends" });
    expect((await converse(receiver)).heard).toBe(text);
  });

  it("drips as often as the script says, no faster, and floods as many bytes as it says", async () => {
    const receiver = await startSteps(
      { kind: "drips", text: "ab", everyMs: 20, times: 3 },
      { kind: "floods", text: "xyz", bytes: 300_000 },
      { kind: "ends" },
    );
    const startedAt = clock.monotonic();
    expect((await converse(receiver)).heard).toBe(`ababab${"xyz".repeat(100_000)}`);
    expect(clock.monotonic() - startedAt).toBeGreaterThanOrEqual(59);
  });

  it("resets, which is not the same as an end", async () => {
    expect((await converse(await startSteps({ kind: "ends" }))).code).toBeUndefined();
    expect((await converse(await startSteps({ kind: "reads" }, { kind: "resets" }), REQUEST)).code).toBe("ECONNRESET");
  });

  it("begins again for each request", async () => {
    const receiver = await start(answeringScript(204));
    const socket = connect(receiver.port, "127.0.0.1");
    const ended = hear(socket);
    for (let sent = 0; sent < 3; sent += 1) {
      socket.write(REQUEST);
      await pause(10);
    }
    socket.end();
    expect((await ended).heard.match(/HTTP\/1\.1 204 X/g)).toHaveLength(3);
    expect([receiver.requests.length, receiver.connections(), receiver.bytesSeen()]).toEqual([
      3,
      1,
      3 * REQUEST.length,
    ]);
  });

  it("dies, and then accepts no connection", async () => {
    const receiver = await startSteps({ kind: "reads" }, { kind: "dies" });
    await converse(receiver, REQUEST);
    expect((await converse(receiver)).code).toBe("ECONNREFUSED");
  });

  it("plays its script from the beginning on each connection", async () => {
    const receiver = await startSteps({ kind: "says", text: "one" }, { kind: "ends" });
    const all = await Promise.all([converse(receiver), converse(receiver)]);
    expect(all.map(({ heard }) => heard)).toEqual(["one", "one"]);
  });

  it("speaks TLS if it has a certificate, and plain TCP under an https URL if it has none", async () => {
    const tls = { identity: createSelfSignedCertificate({ hosts: ["127.0.0.1"] }) };
    const receiver = await start({ steps: [{ kind: "says", text: "inside" }, { kind: "ends" }], tls });
    const socket = connectTls({ port: receiver.port, host: "127.0.0.1", rejectUnauthorized: false });
    expect((await hear(socket)).heard).toBe("inside");
    expect(receiver.url).toBe(`https://127.0.0.1:${String(receiver.port)}/`);
    const plain = await start({ steps: [{ kind: "says", text: "outside" }, { kind: "ends" }], scheme: "https" });
    expect((await converse(plain)).heard).toBe("outside");
    expect(plain.url).toMatch(/^https:/);
  });

  it("ends with all its connections when it is closed, in whatever step it is, and leaves no timer", async () => {
    const counting = createCountingClock();
    const waits: readonly ScriptStep[] = [
      { kind: "reads" },
      { kind: "waits", delayMs: 60_000 },
      { kind: "drips", text: "a", everyMs: 60_000 },
      { kind: "floods", text: "a".repeat(65_536), bytes: 1_000_000_000 },
    ];
    for (const step of waits) {
      const receiver = await startReceiver({ steps: [step] }, counting);
      const socket = connect(receiver.port, "127.0.0.1").pause();
      socket.on("error", () => undefined);
      await expect.poll(() => receiver.openConnections()).toBe(1);
      await receiver.close();
      await expect.poll(() => [receiver.openConnections(), counting.pending()]).toEqual([0, 0]);
      socket.destroy();
    }
  });
});
