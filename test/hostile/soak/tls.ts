// `npm run soak -- tls`: ten thousand handshakes with receivers that must not be trusted, eight at a time, after which no
// byte was sent to any of them, no socket is open and memory has not grown.

import { createSystemClock } from "@postrider/system";
import { startReceiver } from "@postrider/testkit/hostile-receivers";
import { createUndiciHttp } from "@postrider/undici";
import { expect, it } from "vitest";
import { post, settles, wordFor } from "../measure.js";
import { openHandles, steadyBytesInUse } from "../memory.js";
import { BAD, TRUSTED_CA } from "../tls-cases.js";

const HANDSHAKES = 10_000;
const WARM_UP = 200;
const AT_ONCE = 8;
const TIMEOUT_MS = 30_000;
const MAX_GROWTH_BYTES = 5_000_000;

it("ten thousand bad handshakes leave nothing behind", async () => {
  const clock = createSystemClock();
  const resolve = async (): Promise<readonly string[]> => ["127.0.0.1"];
  const http = createUndiciHttp({ clock, network: { allow: ["127.0.0.1"], ca: [TRUSTED_CA] }, resolve });
  const receivers = await Promise.all(BAD.map(({ script }) => startReceiver(script, clock)));
  const words = new Map<string, number>();

  await shakeHands(WARM_UP);
  words.clear();
  const before = { bytes: await steadyBytesInUse(), ...openHandles() };
  const startedAt = clock.monotonic();
  await shakeHands(HANDSHAKES);
  const tookMs = clock.monotonic() - startedAt;
  await settles(() => receivers.every((receiver) => receiver.openConnections() === 0), TIMEOUT_MS);

  const after = { bytes: await steadyBytesInUse(), ...openHandles() };
  const bytesSaid = receivers.reduce((sum, receiver) => sum + receiver.bytesSeen(), 0);
  const growthBytes = after.bytes - before.bytes;
  const sockets = after.sockets - before.sockets;
  console.log({ handshakes: HANDSHAKES, tookMs: Math.round(tookMs), bytesSaid, growthBytes, sockets, words });
  expect({ bytesSaid, sockets: Math.max(0, sockets), successes: words.get("204") ?? 0 }).toEqual({
    bytesSaid: 0,
    sockets: 0,
    successes: 0,
  });
  expect(growthBytes).toBeLessThan(MAX_GROWTH_BYTES);
  await http.close();
  await Promise.all(receivers.map((receiver) => receiver.close()));

  async function shakeHands(count: number): Promise<void> {
    for (let from = 0; from < count; from += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => (from + index) % BAD.length);
      for (const word of await Promise.all(batch.map(sendTo))) words.set(word, (words.get(word) ?? 0) + 1);
    }
  }

  async function sendTo(index: number): Promise<string> {
    const url = `https://${BAD[index]!.host}:${String(receivers[index]!.port)}/`;
    return wordFor(await http.send(post(url, TIMEOUT_MS)));
  }
});
