// One client for all requests of a worker: a thousand of them, through three outages of the receiver. What belongs to a request that
// has ended (its timers, its answers) never comes, so nothing may wait for it.

import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { close, listen } from "../../loopback.js";
import { BUNDLERS } from "../../programs/runtimes/bundlers.js";
import { createWorkerd } from "../../programs/runtimes/run-in.js";

const WORKER = fileURLToPath(new URL("../../programs/runtimes/shared-client.js", import.meta.url));
const HANDLER = "export default { fetch: (request, _, context) => handle(request, context) };";
/** Before 2024-10-14 no promise may be resolved by another request, so that requests at the same time cannot share a client. */
const CASES = [
  { date: "2026-07-01", together: 1 },
  { date: "2026-07-01", together: 10 },
  { date: "2024-01-01", together: 1 },
];
/** How many requests come while the receiver answers so. */
const PHASES = [200, 503, 200, 503, 200, 503, 200].map((status) => ({ status, requests: status === 200 ? 175 : 100 }));
/** A flush of a request in an outage, and one that has all the time that it needs. */
const SHORT_MS = 50;
const LONG_MS = 10_000;

interface Receiver {
  readonly url: string;
  readonly arrived: ReadonlySet<string>;
  readonly answerWith: (status: number) => void;
}

async function startReceiver(): Promise<Receiver> {
  const arrived = new Set<string>();
  let status = 200;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      const { batch } = JSON.parse(body) as { readonly batch: readonly { readonly messageId: string }[] };
      if (status === 200) for (const { messageId } of batch) arrived.add(messageId);
      response.writeHead(status).end("{}");
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { url: `http://127.0.0.1:${String(port)}`, arrived, answerWith: (next) => void (status = next) };
}

it.each(CASES)("a worker of $date, $together at a time: each call arrives, none hangs", async ({ date, together }) => {
  const { url, arrived, answerWith } = await startReceiver();
  const code = await BUNDLERS["esbuild"]!(WORKER, "worker");
  const printed: string[] = [];
  const workerd = createWorkerd(`const ENDPOINT = ${JSON.stringify(url)};\n${code}\n${HANDLER}`, date, printed);
  onTestFinished(() => workerd.dispose());
  /** What flushing has answered. */
  const ask = async (query: string): Promise<object> => {
    const answer = await workerd.dispatchFetch(`http://worker.example/?${query}`);
    const text = await answer.text();
    return answer.status === 200 ? (JSON.parse(text) as object) : { answered: answer.status, text };
  };

  let asked = 0;
  for (const { status, requests } of PHASES) {
    answerWith(status);
    const limit = String(status === 200 ? LONG_MS : SHORT_MS);
    if (status === 200) await expect.poll(() => ask(`limit=${limit}`)).toMatchObject({ pending: 0 });
    for (const before = asked; asked < before + requests;) {
      const group = Array.from({ length: Math.min(together, before + requests - asked) }, () => (asked += 1));
      const reports = await Promise.all(group.map((id) => ask(`id=m${String(id)}&limit=${limit}`)));
      if (status === 200) expect(reports, `request ${String(asked)}`).toEqual(group.map(() => WELL));
      else expect(reports).toEqual(group.map(() => expect.objectContaining({ delivered: 0 }) as object));
    }
  }
  expect(asked).toBe(1_000);
  expect(arrived.size).toBe(1_000);
  expect(printed.join("")).not.toContain("Cannot perform I/O");
});

/** A request may see the end of other requests' calls too. */
const WELL = expect.objectContaining({ failed: 0, pending: 0 }) as object;
