// A relay in memory, with one receiver that takes everything, and settings that tests may change.

import { createMemoryAudienceStore, type HttpScript, type ManualClock, type SentRequest } from "@postrider/memory";
import {
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type DeliveryStore,
  type Destination,
  type DestinationId,
  type HttpPort,
  type Source,
  type SourceId,
  type Workspace,
} from "@postrider/core";
import { createIngest, type Handler } from "@postrider/http/ingest";
import { createRelay, type Relay, type RelayEvent } from "@postrider/relay";
import { look, SHOP_KEY, WRITE_KEY } from "../canary.js";
import { createMemoryPorts } from "../memory-ports.js";

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
    sources: [source("website", WRITE_KEY), source("shop", SHOP_KEY)],
    destinations: [destination()],
    delivery: DEFAULT_DELIVERY,
    retention: DEFAULT_RETENTION,
    ...changes,
  };
}

export interface World {
  readonly relay: Relay;
  readonly clock: ManualClock;
  /** The handler of ingest. */
  readonly ingest: Handler;
  /** The messages that were sent to receivers, parsed. */
  messages(): readonly Record<string, unknown>[];
  requests(): readonly SentRequest[];
}

export interface WorldOptions {
  readonly workspace?: Workspace;
  readonly script?: HttpScript;
  readonly observe?: (event: RelayEvent) => void;
  /** Wraps the store of the relay. */
  readonly wrap?: (store: DeliveryStore) => DeliveryStore;
}

/** A started relay on a manual clock. */
export function createWorld(options: WorldOptions = {}): World {
  const ports = createMemoryPorts(options.script);
  const { store, http, clock } = ports;
  const relay = createRelay({
    ...ports,
    workspace: options.workspace ?? workspace(),
    store: options.wrap === undefined ? store : options.wrap(store),
    audiences: createMemoryAudienceStore(),
    http: watchRequests(http),
    observe: (event) => {
      look("an event", event);
      options.observe?.(event);
    },
    logger: { log: (_, entry) => void look("a line of the log", entry) },
  });
  relay.start();
  return {
    relay,
    clock,
    ingest: watchAnswers(createIngest({ relay, clock })),
    messages: () => http.requests().map(({ body }) => JSON.parse(new TextDecoder().decode(body))),
    requests: () => http.requests(),
  };
}

/** Nothing that a handler answers may hold a secret. */
export function watchAnswers(handler: Handler): Handler {
  return async (incoming) => {
    const answer = await handler(incoming);
    look("an answer", [answer.headers, answer.body]);
    return answer;
  };
}

/** Nor may what goes to receivers. */
function watchRequests(http: HttpPort): HttpPort {
  return {
    send: (request) => {
      look("a request", [request.url, request.headers]);
      look("a message", request.body);
      return http.send(request);
    },
  };
}

/** A store whose commits fail. */
export function failingCommits(code: string): (store: DeliveryStore) => DeliveryStore {
  return (store) => ({ ...store, commit: () => Promise.reject(Object.assign(new Error("no"), { code })) });
}
