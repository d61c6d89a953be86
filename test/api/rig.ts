// An api over a relay in memory, called with the right token unless a test says otherwise.

import type { ApiOptions } from "@postrider/http/api";
import { createSecret, type DeliveryId } from "@postrider/core";
import type { IncomingRequest, RequestBody } from "@postrider/http/ingest";
import { request, textOf } from "../http/request.js";
import { createWorld, type World, type WorldOptions } from "../ingest/world.js";
import { TOKEN } from "../canary.js";
import { createCheckedApi } from "./contract/checked-api.js";

export const BEARER = { authorization: `Bearer ${TOKEN}` };

export interface Told {
  readonly status: number;
  /** Null if it is a stream. */
  readonly body: unknown;
  readonly headers: ReadonlyMap<string, string>;
}

export interface UploadOptions {
  readonly contentType?: string;
  readonly pieceBytes?: number;
  readonly confirmRemove?: string;
}

export interface Rig extends World {
  get(target: string): Promise<Told>;
  post(path: string, body?: unknown): Promise<Told>;
  /** Sends the given text as a list of members, in pieces of that many bytes, while time advances. */
  upload(key: string, text: string | Uint8Array, options?: UploadOptions): Promise<Told>;
  send(incoming: IncomingRequest): Promise<Told>;
  /** The pieces of an answer that is a stream. */
  stream(path: string, signal?: AbortSignal): Promise<AsyncIterable<string | Uint8Array>>;
  /** Accepts one track call and lets its first round end. */
  track(call?: Readonly<Record<string, unknown>>): Promise<DeliveryId>;
}

export async function* piecesOf(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

export interface RigOptions extends WorldOptions {
  readonly api?: Partial<ApiOptions>;
}

export function createRig(options: RigOptions = {}): Rig {
  const world = createWorld(options);
  const api = createCheckedApi({ relay: world.relay, apiToken: createSecret(TOKEN), ...options.api });

  async function send(incoming: IncomingRequest): Promise<Told> {
    const answer = await api(incoming);
    const headers = new Map(answer.headers.map(([name, value]) => [name.toLowerCase(), value]));
    const body: unknown = typeof answer.body === "function" ? null : JSON.parse(textOf(answer));
    return { status: answer.status, body, headers };
  }

  async function stream(path: string, signal = new AbortController().signal) {
    const { body } = await api(request("GET", path, { headers: BEARER }));
    if (typeof body !== "function") throw new Error("the answer is no stream");
    return body(signal);
  }

  return {
    ...world,
    send,
    stream,
    get: (target) => {
      const [path = "", query = ""] = target.split("?", 2);
      return send(request("GET", path, { query, headers: BEARER }));
    },
    post: (path, body) => send(request("POST", path, { body, headers: BEARER })),
    upload: async (key, text, { contentType = "application/x-ndjson", pieceBytes = 7, confirmRemove } = {}) => {
      const confirmation = confirmRemove === undefined ? {} : { "x-confirm-remove": confirmRemove };
      const headers = { ...BEARER, "content-type": contentType, ...confirmation };
      const incoming = request("POST", `/api/audiences/${key}/sync`, { headers });
      const body: RequestBody = { kind: "streamed", chunks: piecesOf(Buffer.from(text), pieceBytes) };
      const told = send({ ...incoming, body });
      await world.clock.settle();
      return told;
    },
    track: async (call = {}): Promise<DeliveryId> => {
      const calls = [{ type: "track", userId: "u1", event: "Signed Up", ...call }];
      const [source] = world.relay.workspace().sources;
      const [receipt] = (await world.relay.accept({ source: source!.id, calls }))._unsafeUnwrap();
      await world.clock.settle();
      if (receipt?.kind !== "accepted") throw new Error(`the call was ${String(receipt?.kind)}`);
      return receipt.deliveries[0]!;
    },
  };
}
