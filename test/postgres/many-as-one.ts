// Several servers on one database before one receiver, which must not notice how many they are.

import { createServer, type RequestListener } from "node:http";
import { pause } from "../end-to-end/receiver.js";
import { type DestinationJson, destination } from "../end-to-end/scene.js";
import type { ServerProcess } from "../end-to-end/server-process.js";
import { close, listen } from "../loopback.js";
import { serveMany, startLoad, writeFleetConfig } from "./fleet.js";

const CALLERS = 8;

export interface Seen {
  /** When each request arrived, in milliseconds since the first call. */
  readonly at: readonly number[];
}

export interface ManyOptions {
  readonly store: string;
  readonly servers: number;
  /** Calls are made for this long. */
  readonly forMs: number;
  readonly receive: RequestListener;
  readonly changes?: Partial<DestinationJson> & { readonly rateLimit?: { readonly perSecond: number } };
  readonly delivery?: object;
}

/** What the receiver saw while calls were made at all servers. */
export async function playMany({ store, servers, forMs, receive, changes, delivery }: ManyOptions): Promise<Seen> {
  const at: number[] = [];
  let startedAt = 0;
  const receiver = createServer((request, response) => {
    at.push(performance.now() - startedAt);
    receive(request, response);
  });
  const url = `http://127.0.0.1:${String(await listen(receiver))}/`;
  const config = writeFleetConfig(store, [destination([url], changes)], delivery === undefined ? {} : { delivery });
  const members: readonly ServerProcess[] = await serveMany(config, servers);
  startedAt = performance.now();
  const load = startLoad(() => members.map((member) => member.url), CALLERS);
  await pause(forMs);
  await load.stop();
  await Promise.all(members.map((member) => member.kill()));
  await close(receiver);
  return { at };
}
