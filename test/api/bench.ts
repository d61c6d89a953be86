// An api over a relay in memory, asked with the right token unless a test says otherwise.

import { createApi } from "@postrider/api";
import { createSecret, type DeliveryId } from "@postrider/core";
import type { IncomingRequest } from "@postrider/ingest";
import { request } from "../ingest/requests.js";
import { createWorld, watchAnswers, type World, type WorldOptions } from "../ingest/world.js";
import { TOKEN } from "../canary.js";

export const BEARER = { authorization: `Bearer ${TOKEN}` };

export interface Told {
  readonly status: number;
  readonly body: unknown;
  readonly headers: ReadonlyMap<string, string>;
}

export interface Bench extends World {
  get(target: string): Promise<Told>;
  post(path: string, body?: unknown): Promise<Told>;
  send(incoming: IncomingRequest): Promise<Told>;
  /** Takes one track call in and lets its first round end. */
  track(call?: Readonly<Record<string, unknown>>): Promise<DeliveryId>;
}

export function createBench(options: WorldOptions = {}): Bench {
  const world = createWorld(options);
  const api = watchAnswers(createApi({ relay: world.relay, apiToken: createSecret(TOKEN) }));

  async function send(incoming: IncomingRequest): Promise<Told> {
    const answer = await api(incoming);
    const headers = new Map(answer.headers.map(([name, value]) => [name.toLowerCase(), value]));
    return { status: answer.status, body: JSON.parse(answer.body), headers };
  }

  return {
    ...world,
    send,
    get: (target) => {
      const [path = "", query = ""] = target.split("?", 2);
      return send(request("GET", path, { query, headers: BEARER }));
    },
    post: (path, body) => send(request("POST", path, { body, headers: BEARER })),
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
