// A relay on a rig: memory store, manual clock, receivers that follow a script. A test gives the values that matter to it;
// all others have sensible defaults.

import {
  type AttemptRecord,
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type DeliveryPolicy,
  type DeliveryRecord,
  type DeliveryStore,
  type Destination,
  type DestinationId,
  type EndpointId,
  type EpochMs,
  epochMs,
  type Fault,
  type HttpPort,
  type HttpRequest,
  type NotifyHook,
  type Receipt,
  type Reply,
  type Retention,
  type SourceId,
  type Workspace,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import {
  createManualClock,
  createMemoryDisk,
  createMemoryStore,
  createSeededRandom,
  type ManualClock,
} from "@postrider/memory";
import {
  createRelay,
  type RelayEvent,
  type LogEntry,
  type LogLevel,
  type Relay,
  type RelayOptions,
} from "@postrider/relay";
import type { ResultAsync } from "neverthrow";
import { look, SECRET, WRITE_KEY } from "../canary.js";

export const WEBSITE = "website" as SourceId;
export const CRM = "crm" as DestinationId;
export const HOUR = 3_600_000;

/** The behaviour of a receiver for one request. `afterMs` is 10 if absent; `silent` answers nothing until time is up. */
export type Behaviour =
  | { readonly status: number; readonly afterMs?: number; readonly retryAfter?: string; readonly body?: string }
  | { readonly fault: Fault; readonly afterMs?: number }
  | "silent";

/** `nth` counts the requests to this URL, from 1. */
export type Receiver = (seen: {
  readonly nth: number;
  readonly at: EpochMs;
  readonly request: HttpRequest;
}) => Behaviour;

export interface SeenRequest {
  readonly url: string;
  readonly at: EpochMs;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RigOptions {
  readonly receivers?: Readonly<Record<string, Receiver | Behaviour>>;
  /** Sources in addition to the website. */
  readonly sources?: readonly SourceId[];
  readonly destinations?: readonly Destination[];
  readonly delivery?: Partial<DeliveryPolicy>;
  readonly retention?: Partial<Retention>;
  /** Hooks that are notified. */
  readonly notify?: readonly NotifyHook[];
  readonly seed?: number;
  /** Wraps the memory store of the relay. */
  readonly wrapStore?: (store: DeliveryStore, clock: ManualClock) => DeliveryStore;
  readonly relay?: Partial<RelayOptions>;
  /** By how much the wall clocks of relays are ahead of that of the rig. */
  readonly aheadMs?: number;
  /**
   * True if the store keeps records, such as the pauses of operators and replay jobs: the relay then sends nothing before it has read the
   * pauses, and asks for running jobs now and then.
   */
  readonly hasRecords?: true;
  /** Whether the store has a board: all relays on the disk then act as one. */
  readonly hasBoard?: true;
}

export interface Rig {
  readonly clock: ManualClock;
  readonly seen: readonly SeenRequest[];
  readonly events: readonly RelayEvent[];
  readonly logged: readonly (readonly [LogLevel, LogEntry])[];
  relay(): Relay;
  workspace(destinations: readonly Destination[]): Workspace;
  accept(...calls: readonly unknown[]): Promise<readonly Receipt[]>;
  /** The answer of a relay, once the work that it waits for is done. */
  answer<T, E>(question: ResultAsync<T, E>): Promise<T>;
  advance(ms: number): Promise<void>;
  /** The process dies: none of its work goes on. Requests that it had sent stay sent. */
  crash(): void;
  /** A new process on the same disk. */
  restart(): void;
  /** A further process on the same disk; it dies with the other one. */
  join(): Relay;
  all(): Promise<readonly DeliveryRecord[]>;
  only(): Promise<DeliveryRecord>;
}

export function url(name: string): string {
  return `https://${name}.example/hook`;
}

export function destination(id: string, names: readonly string[], changes: Partial<Destination> = {}): Destination {
  return {
    id: id as DestinationId,
    name: "Webhooks",
    enabled: true,
    paused: false,
    acceptsHistorical: true,
    sources: [{ source: WEBSITE, mode: "cloud" }],
    endpoints: names.map((name) => ({ url: url(name), headers: [] })),
    secrets: [createSecret(SECRET)],
    ...changes,
  };
}

export function track(changes: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return { type: "track", userId: "u1", event: "Signed Up", ...changes };
}

/** A relay that has been started. Endpoints are named: `a` stands for https://a.example/hook. */
export function createRig(options: RigOptions = {}): Rig {
  const clock = createManualClock();
  const disk = createMemoryDisk();
  const seenRequests: SeenRequest[] = [];
  const events: RelayEvent[] = [];
  const logged: (readonly [LogLevel, LogEntry])[] = [];
  const names = Object.keys(options.receivers ?? { a: { status: 200 } });
  const initial = workspace(options.destinations ?? [destination("crm", names)]);
  const http = createReceivers(clock, options.receivers ?? { a: { status: 200 } }, seenRequests);
  let generation = 0;
  let openCount = 0;
  let current = start(initial);

  function workspace(destinations: readonly Destination[]): Workspace {
    return {
      sources: [WEBSITE, ...(options.sources ?? [])].map((id) => ({
        id,
        name: id,
        writeKey: createSecret(`${WRITE_KEY}${id === WEBSITE ? "" : id}`),
      })),
      destinations,
      delivery: { ...DEFAULT_DELIVERY, ...options.delivery },
      retention: { ...DEFAULT_RETENTION, ...options.retention },
      ...defined({ notify: options.notify }),
    };
  }

  function start(settings: Workspace): Relay {
    generation += 1;
    return open(settings);
  }

  function open(settings: Workspace): Relay {
    openCount += 1;
    const alive = generation;
    const whileAlive = aliveOnly(() => alive === generation);
    const { records, ...others } = createMemoryStore({ disk, shared: options.hasBoard === true });
    const plain = { ...others, ...(options.hasRecords === true && defined({ records })) };
    const store = whileAlive(options.wrapStore?.(plain, clock) ?? plain);
    const relay = createRelay({
      workspace: settings,
      store,
      http,
      gatherMs: 0,
      clock: {
        ...clock,
        wall: () => epochMs(clock.wall() + (options.aheadMs ?? 0)),
        after: (ms, wake) =>
          clock.after(ms, () => {
            if (alive === generation) wake();
          }),
      },
      random: createSeededRandom((options.seed ?? 1) + openCount),
      observe: (event) => {
        look("an event", event);
        events.push(event);
      },
      logger: {
        log: (level, entry) => {
          look("a line of the log", entry);
          logged.push([level, entry]);
        },
      },
      ...options.relay,
    });
    relay.start();
    return relay;
  }

  async function answer<T, E>(question: ResultAsync<T, E>): Promise<T> {
    await clock.advance(0);
    return (await question)._unsafeUnwrap();
  }

  async function all(): Promise<readonly DeliveryRecord[]> {
    const store = createMemoryStore({ disk });
    const page = await store.list({ limit: 100_000 });
    const records = await Promise.all(page.deliveries.map((one) => store.find(one.id)));
    return records.filter((record) => record !== undefined);
  }

  return {
    clock,
    seen: seenRequests,
    events,
    logged,
    relay: () => current,
    workspace,
    accept: (...calls) => answer(current.accept({ source: WEBSITE, calls })),
    answer,
    advance: (ms) => clock.advance(ms),
    crash: (): void => {
      generation += 1;
    },
    restart: (): void => {
      current = start(current.workspace());
    },
    join: () => open(current.workspace()),
    all,
    only: async () => {
      const [record, ...others] = await all();
      if (record === undefined || others.length > 0) throw new Error("there is not exactly one delivery");
      return record;
    },
  };
}

/** A store whose claims take effect at once and are answered 50 ms later, or `ms`. */
export function slowClaims(store: DeliveryStore, clock: ManualClock, ms = 50): DeliveryStore {
  return {
    ...store,
    claim: async (request, now) => {
      const claimed = await store.claim(request, now);
      await new Promise<void>((resolve) => clock.after(ms, resolve));
      return claimed;
    },
  };
}

/** A store whose commits take effect `ms` milliseconds later. */
export function slowCommits(ms: number): (store: DeliveryStore, clock: ManualClock) => DeliveryStore {
  return (store, clock) => ({
    ...store,
    commit: async (changes, now) => {
      await new Promise<void>((resolve) => clock.after(ms, resolve));
      return store.commit(changes, now);
    },
  });
}

/** An error as stores reject with it. */
export function storeError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** The times, relative to the first request, at which a URL was called. */
export function offsets(seen: readonly SeenRequest[]): readonly number[] {
  const first = seen[0]?.at ?? 0;
  return seen.map((one) => one.at - first);
}

export function verdicts(attempts: readonly AttemptRecord[]): readonly string[] {
  return attempts.map(({ endpoint, result, verdict }) => {
    const outcome = result.kind === "answered" ? String(result.status) : result.fault;
    return `${new URL(endpoint).hostname.split(".")[0] ?? ""} ${outcome} ${verdict}`;
  });
}

/** After a crash a dead process reads and writes nothing: its requests are never answered. */
function aliveOnly(isAlive: () => boolean): <Store extends object>(store: Store) => Store {
  const never = new Promise<never>(() => undefined);
  function ask(question: (...all: readonly unknown[]) => Promise<unknown>) {
    return async (...parameters: readonly unknown[]): Promise<unknown> => {
      if (!isAlive()) return never;
      const value = await question(...parameters);
      return isAlive() ? value : never;
    };
  }
  function proxy<Store extends object>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name): unknown => {
        const part: unknown = Reflect.get(target, name);
        if (typeof part === "function") return ask(part as (...all: readonly unknown[]) => Promise<unknown>);
        return typeof part === "object" && part !== null ? proxy(part) : part;
      },
    });
  }
  return proxy;
}

function createReceivers(
  clock: ManualClock,
  receivers: Readonly<Record<string, Receiver | Behaviour>>,
  seen: SeenRequest[],
): HttpPort {
  const counts = new Map<EndpointId, number>();
  return {
    send: (request) => {
      const nth = (counts.get(request.url) ?? 0) + 1;
      counts.set(request.url, nth);
      const at = clock.wall();
      const body = new TextDecoder().decode(request.body);
      look("a request", [request.url, request.headers, body]);
      seen.push({ url: request.url, at, headers: new Map(request.headers), body });
      const receiver = receivers[new URL(request.url).hostname.split(".")[0] ?? ""];
      const behaviour = typeof receiver === "function" ? receiver({ nth, at, request }) : receiver;
      const reply = replyOf(behaviour ?? { fault: "dns" }, request.timeoutMs);
      return new Promise((resolve) => {
        clock.after(reply.afterMs, () => {
          resolve(reply);
        });
      });
    },
  };
}

function replyOf(behaviour: Behaviour, timeoutMs: number): Reply {
  if (behaviour === "silent") return { kind: "silent", fault: "timeout", afterMs: timeoutMs };
  const { afterMs = 10 } = behaviour;
  if ("fault" in behaviour) return { kind: "silent", fault: behaviour.fault, afterMs };
  if (afterMs >= timeoutMs) return { kind: "silent", fault: "timeout", afterMs: timeoutMs };
  const isSuccess = behaviour.status >= 200 && behaviour.status < 300;
  const excerpt = new TextEncoder().encode(isSuccess ? "" : (behaviour.body ?? ""));
  const { status, retryAfter } = behaviour;
  return { kind: "answered", status, afterMs, excerpt, ...(retryAfter === undefined ? {} : { retryAfter }) };
}
