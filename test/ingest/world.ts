// A relay in memory, with one receiver that takes everything, and settings that tests may change.

import {
  createManualClock,
  createMemoryDisk,
  createMemoryStore,
  createScriptedHttp,
  createSeededRandom,
} from "@postrider/memory";
import type { HttpScript, ManualClock, SentRequest } from "@postrider/memory";
import {
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type DeliveryStore,
  type Destination,
  type DestinationId,
  type Source,
  type SourceId,
  type Workspace,
} from "@postrider/core";
import { createRelay, type Relay } from "@postrider/relay";
import { WRITE_KEY } from "./requests.js";

export const HOOK = "https://example.com/hook";

export function source(id: string, writeKey: string): Source {
  return { id: id as SourceId, name: id, writeKey: createSecret(writeKey) };
}

export function destination(changes: Partial<Destination> = {}): Destination {
  return {
    id: "crm" as DestinationId,
    name: "Webhooks",
    enabled: true,
    paused: false,
    acceptsHistorical: true,
    sources: [{ source: "website" as SourceId, mode: "cloud" }],
    endpoints: [{ url: HOOK, headers: [] }],
    secrets: [],
    ...changes,
  };
}

export function workspace(changes: Partial<Workspace> = {}): Workspace {
  return {
    sources: [source("website", WRITE_KEY), source("shop", "wk_shop")],
    destinations: [destination()],
    delivery: DEFAULT_DELIVERY,
    retention: DEFAULT_RETENTION,
    ...changes,
  };
}

export interface World {
  readonly relay: Relay;
  readonly clock: ManualClock;
  /** What the receivers were sent, parsed. */
  messages(): readonly Record<string, unknown>[];
  requests(): readonly SentRequest[];
}

export interface WorldOptions {
  readonly workspace?: Workspace;
  readonly script?: HttpScript;
  /** Puts something between the relay and its store. */
  readonly wrap?: (store: DeliveryStore) => DeliveryStore;
}

/** A started relay on a manual clock. */
export function createWorld(options: WorldOptions = {}): World {
  const clock = createManualClock();
  const http = createScriptedHttp({ clock, script: options.script ?? (() => ({ kind: "answers", status: 200 })) });
  const store = createMemoryStore({ disk: createMemoryDisk() });
  const relay = createRelay({
    workspace: options.workspace ?? workspace(),
    store: options.wrap === undefined ? store : options.wrap(store),
    http,
    clock,
    random: createSeededRandom(1),
  })._unsafeUnwrap();
  relay.start();
  return {
    relay,
    clock,
    messages: () => http.requests().map(({ body }) => JSON.parse(new TextDecoder().decode(body))),
    requests: () => http.requests(),
  };
}

/** A store whose commits fail. */
export function failingCommits(code: string): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({ ...store, commit: () => Promise.reject(Object.assign(new Error("no"), { code })) });
}
