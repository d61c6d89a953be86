// A receiver that answers a moment later, and remembers of each message when it arrived, and nothing else.

import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { pause } from "../end-to-end/receiver.js";
import { close, listen } from "../loopback.js";

export interface Arrivals {
  readonly url: string;
  /** When each message arrived, by the clock of this process, in milliseconds. */
  readonly times: ReadonlyMap<string, readonly number[]>;
}

/** Starts the receiver; it is closed after the test. */
export async function createArrivals(
  answersAfterMs: number,
  statusOf: (messageId: string) => number = () => 200,
): Promise<Arrivals> {
  const times = new Map<string, number[]>();
  const server = createServer((request, response) => {
    void json(request).then(
      async (message) => {
        const { messageId } = message as { readonly messageId: string };
        times.set(messageId, [...(times.get(messageId) ?? []), performance.now()]);
        await pause(answersAfterMs);
        response.writeHead(statusOf(messageId)).end();
      },
      () => response.destroy(),
    );
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { url: `http://127.0.0.1:${String(port)}`, times };
}
