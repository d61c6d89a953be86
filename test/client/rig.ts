// A client over a manual clock and a transport that the test controls. Requests are recorded, parsed.

import {
  type CallResult,
  type Client,
  type ClientOptions,
  createClient,
  type DeliveredCall,
  type FailedCall,
  type ClientLogEntry,
  type TransportAnswer,
  type TransportRequest,
} from "@postrider/client";
import { createManualClock, createSeededRandom, type ManualClock } from "@postrider/memory";
import { look, WRITE_KEY } from "../canary.js";

export interface SentCall extends Readonly<Record<string, unknown>> {
  readonly messageId: string;
}

export interface SentBatch {
  /** By the monotonic clock. */
  readonly at: number;
  readonly url: string;
  readonly request: TransportRequest;
  readonly sentAt: string;
  readonly batch: readonly SentCall[];
}

/** The reaction of a server to a request: an answer, a broken connection, or silence. */
export type Reaction = Response | "reset" | "silent";
export type Script = (sent: SentBatch, index: number) => Reaction | Promise<Reaction>;

export interface Rig {
  readonly client: Client;
  readonly clock: ManualClock;
  readonly sent: readonly SentBatch[];
  readonly delivered: readonly DeliveredCall[];
  readonly failed: readonly FailedCall[];
  readonly log: readonly ClientLogEntry[];
  /** Makes this many track calls; returns their messageIds. */
  readonly track: (calls: number, fields?: object) => readonly string[];
}

export const ENDPOINT = "http://127.0.0.1:8080";

export function createRig(script: Script = () => answer(200), options: Partial<ClientOptions> = {}): Rig {
  const clock = createManualClock();
  const sent: SentBatch[] = [];
  const delivered: DeliveredCall[] = [];
  const failed: FailedCall[] = [];
  const log: ClientLogEntry[] = [];
  const client = createClient(WRITE_KEY, {
    endpoint: ENDPOINT,
    clock,
    random: createSeededRandom(1),
    transport: async (url: string, request: TransportRequest): Promise<TransportAnswer> => {
      const { sentAt, batch } = JSON.parse(request.body as string) as Pick<SentBatch, "sentAt" | "batch">;
      look("a batch", request.body);
      sent.push({ at: clock.monotonic(), url, request, sentAt, batch });
      const reaction = await script(sent.at(-1)!, sent.length - 1);
      if (reaction === "reset") throw new TypeError("fetch failed");
      return reaction === "silent" ? new Promise(() => undefined) : reaction;
    },
    logger: {
      log: (_level, entry) => {
        look("a line of the log", entry);
        log.push(entry);
      },
    },
    onDelivered: (call) => delivered.push(call),
    onFailed: (call) => failed.push(call),
    ...options,
  });
  return {
    client,
    clock,
    sent,
    delivered,
    failed,
    log,
    track: (calls, fields = {}) =>
      Array.from({ length: calls }, (_, n) => {
        const made = client.track({ userId: "u1", event: "e", properties: { n }, ...fields });
        return made.kind === "ok" ? made.messageId : "";
      }),
  };
}

export function answer(status: number, body: unknown = null, headers: Record<string, string> = {}): Response {
  return new Response(body === null ? null : JSON.stringify(body), { status, headers });
}

/** The id under which a call was queued; fails if it was refused. */
export function queuedId(made: CallResult): string {
  if (made.kind === "refused") throw new Error(`refused: ${made.code}`);
  return made.messageId;
}

export function idsOf(batch: readonly { readonly messageId: string }[]): readonly string[] {
  return batch.map(({ messageId }) => messageId);
}
