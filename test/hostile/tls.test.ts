// Nothing is sent to a receiver that has not shown a valid certificate (spec, webhook destination §4, rule 3), not even
// if the environment asks for leniency.

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, execPath } from "node:process";
import { createServer, type TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createSystemClock } from "@postrider/system";
import { startReceiver } from "@postrider/testkit/hostile-receivers";
import { createUndiciHttp, type UndiciHttp } from "@postrider/undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { post, settles, wordFor } from "./measure.js";
import { bytesInUse, openHandles } from "./memory.js";
import { BAD, GOOD, GOOD_IDENTITY, type TlsCase, TRUSTED_CA, UNKNOWN_IDENTITY } from "./tls-cases.js";

const clock = createSystemClock();
/** More than the busiest machine needs. */
const TIMEOUT_MS = 60_000;
const HANDSHAKES = 200;
/** Much less than what a kilobyte left behind by each would make. */
const MAX_GROWTH_BYTES = 2_000_000;
const PROGRAM = fileURLToPath(new URL("programs/send-one.js", import.meta.url));

function open(ca: readonly string[]): UndiciHttp {
  const http = createUndiciHttp({ clock, network: { allow: ["127.0.0.1"], ca }, resolve: async () => ["127.0.0.1"] });
  onTestFinished(() => http.close());
  return http;
}

async function openReceiver({ script, host }: TlsCase) {
  const receiver = await startReceiver(script, clock);
  onTestFinished(() => receiver.close());
  return { receiver, url: `https://${host}:${String(receiver.port)}/` };
}

describe("a receiver that", () => {
  it.each(BAD)("$what is told nothing", async (tlsCase) => {
    const { receiver, url } = await openReceiver(tlsCase);
    const word = wordFor(await open(tlsCase.ca).send(post(url, TIMEOUT_MS)));
    expect(tlsCase.faults).toContain(word);
    await settles(() => receiver.openConnections() === 0);
    expect([receiver.connections(), receiver.openConnections(), receiver.bytesSeen()]).toEqual([1, 0, 0]);
  });

  it.each(GOOD)("$what is delivered to", async (tlsCase) => {
    const { receiver, url } = await openReceiver(tlsCase);
    expect(wordFor(await open(tlsCase.ca).send(post(url, TIMEOUT_MS)))).toBe("204");
    expect(receiver.requests.length).toBe(1);
  });

  it("changes its certificate while it runs is checked again, and a ticket of an earlier session does not help it", async () => {
    let bytesAfterChange = 0;
    let isChanged = false;
    const sockets: TLSSocket[] = [];
    const server = createServer({ ...GOOD_IDENTITY, ticketKeys: Buffer.alloc(48, 7) }, (socket) => {
      sockets.push(socket);
      socket
        .on("error", () => undefined)
        .on("data", (chunk: Uint8Array) => {
          if (isChanged) bytesAfterChange += chunk.length;
          else socket.end("HTTP/1.1 204 X\r\nConnection: close\r\n\r\n");
        });
    });
    server.on("tlsClientError", () => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `https://receiver.example:${String((server.address() as AddressInfo).port)}/`;
    const http = open([TRUSTED_CA]);
    expect(wordFor(await http.send(post(url, TIMEOUT_MS)))).toBe("204");
    server.setSecureContext({ ...UNKNOWN_IDENTITY, ticketKeys: Buffer.alloc(48, 7) });
    isChanged = true;
    expect(wordFor(await http.send(post(url, TIMEOUT_MS)))).toBe("certificate-issuer");
    expect(sockets.filter((socket) => socket.isSessionReused())).toEqual([]);
    expect(bytesAfterChange).toBe(0);
  });
});

describe("the environment", () => {
  const LENIENT = {
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
    NODE_NO_WARNINGS: "1",
    NODE_OPTIONS: "--tls-min-v1.0 --tls-cipher-list=ALL:@SECLEVEL=0",
  };

  it.each(BAD)("that asks for leniency gets none for one that $what", async (tlsCase) => {
    const { receiver, url } = await openReceiver(tlsCase);
    const word = await sendFromProcess(url, LENIENT, tlsCase.ca);
    expect(tlsCase.faults).toContain(word);
    expect([receiver.connections(), receiver.bytesSeen()]).toEqual([1, 0]);
  });

  it("that names proxies causes nothing to be sent to them", async () => {
    const proxy = await startReceiver({ steps: [] }, clock);
    onTestFinished(() => proxy.close());
    const url = proxy.url;
    const proxies = {
      HTTP_PROXY: url,
      HTTPS_PROXY: url,
      ALL_PROXY: url,
      http_proxy: url,
      https_proxy: url,
      all_proxy: url,
    };
    const { receiver } = await openReceiver(GOOD[1]!);
    const word = await sendFromProcess(receiver.url, { ...proxies, NODE_USE_ENV_PROXY: "1", NO_PROXY: "" }, [
      TRUSTED_CA,
    ]);
    expect([word, proxy.connections()]).toEqual(["204", 0]);
  });
});

describe("many bad handshakes", () => {
  it(`leave nothing behind, after ${String(HANDSHAKES)} of them`, async () => {
    const http = open([TRUSTED_CA]);
    const targets = await Promise.all(BAD.slice(0, 8).map(openReceiver));
    const sendTo = ({ url }: { url: string }) => http.send(post(url, TIMEOUT_MS));
    for (let round = 0; round < 5; round += 1) await Promise.all(targets.map(sendTo));
    const before = { bytes: await bytesInUse(), ...openHandles() };
    for (let sent = 0; sent < HANDSHAKES; sent += targets.length) await Promise.all(targets.map(sendTo));
    await settles(() => targets.every(({ receiver }) => receiver.openConnections() === 0));
    expect(targets.map(({ receiver }) => receiver.bytesSeen())).toEqual(targets.map(() => 0));
    expect(openHandles().sockets).toBeLessThanOrEqual(before.sockets);
    expect((await bytesInUse()) - before.bytes).toBeLessThan(MAX_GROWTH_BYTES);
  });
});

/** The reply that a process with this environment gets from the receiver. */
async function sendFromProcess(
  url: string,
  environment: Record<string, string>,
  ca: readonly string[],
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-tls-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, "ca.pem");
  writeFileSync(file, ca.join(""));
  const { stdout } = await promisify(execFile)(execPath, [PROGRAM, url, file], { env: { ...env, ...environment } });
  return stdout.trim();
}
