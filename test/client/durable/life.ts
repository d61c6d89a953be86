// The life of a durable client against a server that answers as the test says, on a manual clock: what was kept, what arrived,
// what failed.

import { createDurableClient, type CallStorage, type DurableClient } from "@postrider/client/durable";
import type { ClientLogEntry, FailedCall } from "@postrider/client";
import { createManualClock, createSeededRandom, type ManualClock } from "@postrider/memory";
import { WRITE_KEY } from "../../canary.js";
import { answer, ENDPOINT } from "../rig.js";
import type { Options } from "./rig.js";

/** A batch as the server sees it: the messageIds of its calls. */
export interface SeenBatch {
  readonly batch: readonly string[];
}

export type Ending = (seen: SeenBatch) => Response | "reset" | "silent";

export interface Life {
  readonly client: DurableClient;
  readonly clock: ManualClock;
  /** The messageIds of the calls that were not refused. */
  readonly kept: readonly string[];
  /** Those of the calls that the server has taken, in its order. */
  readonly arrived: readonly string[];
  readonly failed: readonly FailedCall[];
  readonly log: readonly (ClientLogEntry & { readonly level: string })[];
  /** From now on, the server answers so. */
  answers(ending: Ending): void;
  /** The same, where an answer comes later. */
  answersLater(ending: (seen: SeenBatch) => Promise<Response>): void;
  /** A server that rejects some calls by their index, behind something that refuses a batch because of some. */
  judging(isRejected: (id: string) => boolean, isPoison: (id: string) => boolean): Ending;
  rejected(): readonly string[];
  /** Makes calls, and returns the messageIds of those that were kept. */
  call(count: number): readonly string[];
  callEachSecond(seconds: number): Promise<void>;
  /** Goes on for ten minutes. */
  settle(): Promise<void>;
}

/** Each life draws other messageIds. */
let lives = 0;

export function startLife(storage: CallStorage, options: Options = {}): Life {
  const clock = createManualClock();
  const [kept, arrived, failed]: [string[], string[], FailedCall[]] = [[], [], []];
  const log: (ClientLogEntry & { readonly level: string })[] = [];
  let ending: (seen: SeenBatch) => ReturnType<Ending> | Promise<Response> = () => answer(200);
  const client = createDurableClient(WRITE_KEY, {
    endpoint: ENDPOINT,
    storage,
    clock,
    random: createSeededRandom((lives += 1)),
    onFailed: (call) => failed.push(call),
    logger: { log: (level, entry) => void log.push({ level, ...entry }) },
    transport: async (_: string, { body }: { readonly body: string }) => {
      const batch = (JSON.parse(body) as { batch: readonly { messageId: string }[] }).batch.map((one) => one.messageId);
      const answered = await ending({ batch });
      if (answered === "reset") throw new TypeError("reset");
      if (answered === "silent") return new Promise<Response>(() => undefined);
      const text = await answered.clone().text();
      if (answered.ok && !text.startsWith("<") && !text.includes("success")) {
        const { rejected = [] } = (text === "" ? {} : JSON.parse(text)) as { rejected?: readonly { index: number }[] };
        const without = new Set(rejected.map(({ index }) => index));
        arrived.push(...batch.filter((_id, index) => !without.has(index)));
      }
      return answered;
    },
    ...options,
  });

  function call(count: number): readonly string[] {
    const made = Array.from({ length: count }, () => client.track({ userId: "u1", event: "e" }));
    const ids = made.flatMap((one) => (one.kind === "ok" ? [one.messageId] : []));
    kept.push(...ids);
    return ids;
  }

  return {
    client,
    clock,
    kept,
    arrived,
    failed,
    log,
    answers: (next) => {
      ending = next;
    },
    answersLater: (next) => {
      ending = next;
    },
    judging:
      (isRejected, isPoison) =>
      ({ batch }) => {
        if (batch.some(isPoison)) return answer(403);
        const rejected = batch.flatMap((id, index) => (isRejected(id) ? [{ index, code: "no-event" }] : []));
        return answer(200, { rejected });
      },
    rejected: () => failed.filter(({ reason }) => reason === "rejected").map(({ messageId }) => messageId),
    call,
    callEachSecond: async (seconds) => {
      for (let second = 0; second < seconds; second += 1) {
        call(1);
        await clock.advance(1_000);
      }
    },
    settle: () => clock.advance(600_000),
  };
}
