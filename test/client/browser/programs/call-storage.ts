// Runs in a page: the storage of the browser, under its contract and under a client.

import type { FlushReport } from "@postrider/client";
import { createDurableClient, type CallStorage, type DurableClient } from "@postrider/client/durable";
import { createIndexedDbCallStorage, type IndexedDbCallStorage } from "@postrider/client/indexeddb";
import { createManualClock } from "@postrider/memory";
import { callStorageContract } from "../../../../packages/testkit/dist/contracts/call-storage-contract.js";
import type { CallMade } from "./call-made.js";

export interface Plan {
  readonly writeKey: string;
  readonly endpoint: string;
  readonly flushAt?: number;
  readonly maxCalls?: number;
}

/** The storage looks for what other tabs have left when a test moves this clock. */
const clock = createManualClock();
let storage: IndexedDbCallStorage;
let client: DurableClient;

export function start({ writeKey, endpoint, flushAt = 1_000, maxCalls }: Plan): void {
  storage = openStorage("calls", maxCalls);
  client = createDurableClient(writeKey, { endpoint, flushAt, flushAfterMs: 3_600_000, storage });
}

export function openStorage(name: string, maxCalls?: number): IndexedDbCallStorage {
  return createIndexedDbCallStorage({ name, clock, ...(maxCalls === undefined ? {} : { maxCalls }) });
}

export function call(count: number): readonly CallMade[] {
  return Array.from({ length: count }, (_, n) => {
    const made = client.track({ userId: "u1", event: "e", properties: { n } });
    return { type: "track", messageId: made.kind === "ok" ? made.messageId : `refused: ${made.code}` };
  });
}

/** Makes calls, and returns those that were kept at once. */
export async function callKept(count: number): Promise<readonly CallMade[]> {
  const made = call(count);
  return (await client.kept()) ? made : [];
}

/** Makes calls, five at a time, and notes those that are kept where the next page finds them. */
export async function callSlowly(count: number): Promise<readonly CallMade[]> {
  const made: CallMade[] = [];
  while (made.length < count) {
    made.push(...call(5));
    if (await client.kept()) localStorage.setItem("kept", JSON.stringify(made));
  }
  return made;
}

export const keptSlowly = (): readonly CallMade[] =>
  JSON.parse(localStorage.getItem("kept") ?? "[]") as readonly CallMade[];

export const kept = (): Promise<boolean> => client.kept();
export const flush = (): Promise<FlushReport> => client.flush();
export const backlog = (): number => client.backlog().calls;
export const look = (): Promise<void> => clock.advance(10_000);
export const locks = async (): Promise<number> => (await navigator.locks.query()).held?.length ?? 0;

/** The same where the browser does not answer: the clock goes on until the storage gives up. */
export async function keptInTime(): Promise<boolean> {
  let isKept: boolean | undefined;
  void client.kept().then((is) => {
    isKept = is;
  });
  while (isKept === undefined) {
    await look();
    await new Promise((resolve) => setTimeout(resolve));
  }
  return isKept;
}

/** Closes the storage of the client, and returns with what its methods answer then. */
export async function closeStorage(): Promise<readonly string[]> {
  await storage.close();
  return Promise.all([storage.load({ limit: 1 }), storage.change({ keep: [], drop: ["m"] })].map(codeOf));
}

/** Stores calls with these messageIds in a further storage on the same database, which stays open. */
export function keep(ids: readonly string[]): Promise<string> {
  const calls = ids.map((messageId) => ({ messageId, type: "track" as const, json: "x".repeat(30_000) }));
  return codeOf(openStorage("calls", 5).change({ keep: calls, drop: [] }));
}

/** Two storages keep the same call, and then the first one drops it; returns with what each of them has left. */
export async function keepTwice(): Promise<readonly unknown[]> {
  const same = { messageId: "m1", type: "track", json: "{}" } as const;
  const [first, second] = [openStorage("twice"), openStorage("twice")];
  await first.change({ keep: [same, { ...same, messageId: "m2" }], drop: [] });
  const kept = await second.change({ keep: [same], drop: [] });
  const left = await first.change({ keep: [], drop: ["m1", "m2"] });
  return [kept, left, await second.load({ limit: 10 })];
}

function codeOf(ended: Promise<unknown>): Promise<string> {
  return ended.then(String, (error: unknown) => String((error as { code?: unknown }).code));
}

let plays = 0;

/** Plays a case of the contract. Each storage is opened in a frame; the next one of its name ends the frame, as a crash would. */
export async function play(name: string): Promise<void> {
  plays += 1;
  const frames = new Map<string, HTMLIFrameElement>();
  const cases = callStorageContract({
    open: async (calls, maxCalls) => {
      frames.get(calls)?.remove();
      while ((await locks()) > 0);
      const frame = document.createElement("iframe");
      frames.set(calls, frame);
      const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
      frame.src = "/";
      document.body.append(frame);
      await loaded;
      const { program } = frame.contentWindow as unknown as { program: { openStorage: typeof openStorage } };
      return fromFrame(program.openStorage(`${String(plays)}-${calls}`, maxCalls ?? 2_000));
    },
    supports: { restart: true },
  });
  await cases.find((one) => one.name === name)?.run();
  for (const frame of frames.values()) frame.remove();
}

/** Errors and objects of a frame are of other classes than those of the page. */
function fromFrame(storage: CallStorage): CallStorage {
  async function bring<T>(answered: Promise<T>): Promise<T> {
    try {
      return structuredClone(await answered);
    } catch (error) {
      const { message, code } = error as { message: string; code: string };
      throw Object.assign(new Error(message), { code });
    }
  }
  return {
    maxCalls: storage.maxCalls,
    load: (request) => bring(storage.load(request)),
    change: (change) => bring(storage.change(change)),
  };
}
