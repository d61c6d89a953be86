// A host that is killed: calls that its client has reported as stored are delivered by the next process on the same file,
// under the same messageIds. Needs `tsc -b` first.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { look, WRITE_KEY } from "../../canary.js";
import { createReceiver, type Receiver } from "../../end-to-end/receiver.js";
import { createScene, destination } from "../../end-to-end/scene.js";
import { serve } from "../../end-to-end/server-process.js";
import { tempFolder } from "../../postrider/config-file.js";

const PROGRAM = fileURLToPath(new URL("programs/call.js", import.meta.url));
const UNUSED_URL = "http://127.0.0.1:9";

/** Runs the program, and kills it with -9 as soon as it has written this many lines. Returns all that it wrote. */
async function live(words: readonly string[], lines = Infinity): Promise<readonly string[]> {
  const env = { ...process.env, WRITE_KEY };
  const child = spawn(process.execPath, [PROGRAM, ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const wrote: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    look("standard output of a process", line);
    wrote.push(line);
    if (wrote.length >= lines) child.kill("SIGKILL");
  });
  await once(child, "close");
  return wrote;
}

/** The messageId of each call that was reported as stored, by its number. */
function safeOf(lines: readonly string[]): readonly (readonly [n: string, messageId: string])[] {
  return lines.filter((line) => /^\d/.test(line)).map((line) => line.split(" ") as [string, string]);
}

/**
 * The number and messageId of each call that has arrived. A receiver may get a call twice, which is not visible to the
 * client.
 */
function arrivedAt({ requests }: Receiver): readonly (readonly [n: string, messageId: string])[] {
  const byId = requests.map(({ message }): [string, string] => {
    const { n } = message["properties"] as { readonly n: number };
    return [String(message["messageId"]), String(n)];
  });
  return [...new Map(byId)].map(([messageId, n]) => [n, messageId]);
}

async function startServer(): Promise<{ readonly url: string; readonly receiver: Receiver }> {
  const receiver = await createReceiver(200);
  const { url } = await serve(createScene([destination([receiver.url])]).config);
  return { url, receiver };
}

describe("a client on SQLite whose host is killed", () => {
  it("lets the next process deliver 1,000 calls that were made while the server was down", async () => {
    const file = join(tempFolder(), "calls.db");
    const safe = safeOf(await live([file, UNUSED_URL, "0", "1000"], 1_001));
    expect(safe).toHaveLength(1_000);
    const { url, receiver } = await startServer();
    expect(await live([file, url])).toEqual(["left 0"]);
    await expect.poll(() => arrivedAt(receiver).length).toBe(1_000);
    expect(arrivedAt(receiver).toSorted()).toEqual(safe.toSorted());
  });

  it("loses no call that it reported as stored, and sends none under a second messageId, whenever it is killed", async () => {
    const file = join(tempFolder(), "calls.db");
    const { url, receiver } = await startServer();
    const safe: (readonly [string, string])[] = [];
    for (const [index, lines] of [1, 370, 40, 620, 990].entries()) {
      safe.push(...safeOf(await live([file, url, String(index * 1_000), "1000"], lines)));
    }
    expect(safe.length).toBeGreaterThan(2_000);
    expect(await live([file, url])).toEqual(["left 0"]);
    const missing = (): number => {
      const arrived = new Set(arrivedAt(receiver).map(([, messageId]) => messageId));
      return safe.filter(([, messageId]) => !arrived.has(messageId)).length;
    };
    await expect.poll(missing).toBe(0);
    const arrived = arrivedAt(receiver);
    expect(new Set(arrived.map(([n]) => n)).size).toBe(arrived.length);
    const idOf = new Map(arrived);
    expect(safe.filter(([n, id]) => idOf.get(n) !== id)).toEqual([]);
  });
});
