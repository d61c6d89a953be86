// A relay on a rig that keeps audiences: both stores are on one disk, and a crash of a process affects both of its stores.
// Receivers accept everything, unless a test says otherwise.

import {
  type AudienceDefinition,
  type AudienceRecord,
  type AudienceStore,
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type DeliveryStore,
  type Destination,
  type DestinationId,
  type SyncReport,
} from "@postrider/core";
import { decodeAudience } from "@postrider/core/engine";
import {
  createManualClock,
  createMemoryAudienceStore,
  createMemoryDisk,
  createMemoryStore,
  createScriptedHttp,
  createSeededRandom,
  type ManualClock,
  type ScriptedReply,
  type SentRequest,
} from "@postrider/memory";
import {
  createRelay,
  type RelayEvent,
  type Members,
  type Relay,
  type RelayOptions,
  type SyncFault,
  type SyncOptions,
} from "@postrider/relay";
import type { Result, ResultAsync } from "neverthrow";
import { WRITE_KEY } from "../canary.js";
import { destination, WEBSITE } from "./rig.js";

export const CRM = "crm" as DestinationId;
export const MAIL = "mail" as DestinationId;

/** The time from the last sign of life of a process until another one resumes its work, with the time of a poll. */
export const SILENCE_MS: number = DEFAULT_DELIVERY.leaseMs + 6_000;

/** Called for a request of a process to its stores; it may make the process die. */
export type Ask = (what: string) => void;

export interface AudienceRigOptions {
  readonly destinations?: readonly Destination[];
  /** The status that each request is answered with; 200 if absent. */
  readonly answer?: (request: SentRequest) => number;
  readonly relay?: Partial<RelayOptions>;
  /** Opens both stores again, on the same file; on a memory disk if absent. */
  readonly openStores?: () => RigStores;
  /** Wraps the delivery store of the relay. */
  readonly wrapDeliveries?: (store: DeliveryStore) => DeliveryStore;
  readonly wrapAudiences?: (store: AudienceStore) => AudienceStore;
  /** Called for each request to a store, once it has taken effect and before its answer arrives. */
  readonly onAsked?: Ask;
  /** Called for each request before it takes effect. */
  readonly onAsk?: Ask;
}

export interface RigStores {
  readonly deliveries: DeliveryStore;
  readonly audiences: AudienceStore;
}

export interface AudienceRig {
  readonly clock: ManualClock;
  readonly events: readonly RelayEvent[];
  /** The audiences on the disk. */
  readonly audiences: AudienceStore;
  readonly deliveries: DeliveryStore;
  relay(): Relay;
  /** Creates an audience of the crm, called VIP unless the definition says otherwise. */
  create(definition?: Partial<AudienceDefinition>): Promise<AudienceRecord>;
  record(key?: string): Promise<AudienceRecord>;
  /** Syncs the audience, and waits until all work is done. */
  sync(members: Members, options?: RigSyncOptions): Promise<SyncReport>;
  trySync(members: Members, options?: RigSyncOptions): Promise<Result<SyncReport, SyncFault>>;
  /** The changes that receivers got since the last call: `crm u1 true`, sorted. */
  heard(): readonly string[];
  /** Every request so far, its body parsed. */
  messages(): readonly Message[];
  configure(...destinations: readonly Destination[]): void;
  settle<T, E>(question: ResultAsync<T, E>, forMs?: number): Promise<Result<T, E>>;
  readonly crash: () => void;
  restart(): void;
  /** A further process on the same disk; it dies with the other one. */
  join(): Relay;
}

export interface RigSyncOptions extends SyncOptions {
  /** `vip` if absent. */
  readonly key?: string;
}

export interface Message {
  readonly destination: string;
  readonly type: string;
  readonly messageId: string;
  readonly userId: string;
  readonly event?: string;
  readonly traits?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly context: Readonly<Record<string, unknown>>;
}

interface Life {
  isOver: boolean;
}

export function crm(changes: Partial<Destination> = {}): Destination {
  return destination(CRM, [CRM], changes);
}

export function mail(changes: Partial<Destination> = {}): Destination {
  return destination(MAIL, [MAIL], changes);
}

export function createAudienceRig(options: AudienceRigOptions = {}): AudienceRig {
  const { wrapDeliveries = same, wrapAudiences = same } = options;
  const clock = createManualClock();
  const openStores = options.openStores ?? onMemoryDisk();
  const looking = openStores();
  const events: RelayEvent[] = [];
  const script = (request: SentRequest): ScriptedReply => ({
    kind: "answers",
    status: options.answer?.(request) ?? 200,
    afterMs: 10,
  });
  const http = createScriptedHttp({ clock, script });
  let destinations = options.destinations ?? [crm()];
  let life: Life = { isOver: false };
  let lives = 0;
  let current = open();
  let looked = 0;

  function open(): Relay {
    lives += 1;
    const own = life;
    const stores = openStores();
    const through = <T extends object>(store: T): T => mortal(store, own, options);
    const relay = createRelay({
      workspace: workspace(),
      store: through(wrapDeliveries(stores.deliveries)),
      audiences: through(wrapAudiences(stores.audiences)),
      http,
      clock: {
        ...clock,
        after: (ms, wake) =>
          clock.after(ms, () => {
            if (!own.isOver) wake();
          }),
      },
      random: createSeededRandom(lives),
      gatherMs: 0,
      observe: (event) => events.push(event),
      ...options.relay,
    });
    relay.start();
    return relay;
  }

  function workspace() {
    const sources = [{ id: WEBSITE, name: "Website", writeKey: createSecret(WRITE_KEY) }];
    return { sources, destinations, delivery: DEFAULT_DELIVERY, retention: DEFAULT_RETENTION };
  }

  async function settle<T, E>(question: ResultAsync<T, E>, forMs = 1_000): Promise<Result<T, E>> {
    await clock.advance(forMs);
    return question;
  }

  function trySync(members: Members, { key = "vip", ...rest }: RigSyncOptions = {}) {
    return settle(current.syncAudience(key, members, rest));
  }

  const messages = (): readonly Message[] => http.requests().map(readMessage);

  return {
    clock,
    events,
    ...looking,
    relay: () => current,
    create: async (definition) => {
      const whole = { name: "VIP", kind: "audience", sendsAs: "identify", destinations: [CRM], ...definition } as const;
      return (await settle(current.createAudience(whole), 0))._unsafeUnwrap();
    },
    record: async (key = "vip") => {
      const record = await looking.audiences.records.find("audience", key);
      if (record === undefined) throw new Error("there is no such audience");
      return decodeAudience(record);
    },
    sync: async (members, options) => (await trySync(members, options))._unsafeUnwrap(),
    trySync,
    heard: () => {
      const fresh = messages().slice(looked);
      looked += fresh.length;
      return fresh.map(lineOf).toSorted();
    },
    messages,
    configure: (...next) => {
      destinations = next;
      current.configure(workspace())._unsafeUnwrap();
    },
    settle,
    crash: (): void => {
      life.isOver = true;
    },
    restart: (): void => {
      life = { isOver: false };
      current = open();
    },
    join: open,
  };
}

function onMemoryDisk(): () => RigStores {
  const disk = createMemoryDisk();
  return () => ({ deliveries: createMemoryStore({ disk }), audiences: createMemoryAudienceStore({ disk }) });
}

function same<T>(store: T): T {
  return store;
}

/** Once its process is dead, no request takes effect or is answered. */
function mortal<T extends object>(store: T, life: Life, options: AudienceRigOptions): T {
  const { onAsk, onAsked } = options;
  const never = new Promise<never>(() => undefined);
  const isOver = (): boolean => life.isOver;
  return new Proxy(store, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      // The parts of a store die with it.
      if (typeof method === "object" && method !== null) return mortal(method, life, options);
      if (typeof method !== "function") return method;
      return async (...parameters: readonly unknown[]): Promise<unknown> => {
        if (isOver()) return never;
        onAsk?.(String(name));
        if (isOver()) return never;
        const answer: unknown = await Reflect.apply(method, target, parameters);
        if (!isOver()) onAsked?.(String(name));
        return isOver() ? never : answer;
      };
    },
  });
}

function readMessage({ url, body }: SentRequest): Message {
  const message = JSON.parse(new TextDecoder().decode(body)) as Omit<Message, "destination">;
  return { destination: new URL(url).hostname.split(".")[0] ?? "", ...message };
}

/** `crm u1 true`: destination, user, value. */
export function lineOf({ destination: to, userId, traits, properties }: Message): string {
  const [value] = Object.entries(traits ?? properties ?? {}).flatMap(([key, told]) =>
    key === "audience_key" || key === "trait_key" ? [] : [told],
  );
  return `${to} ${userId} ${JSON.stringify(value)}`;
}

/** The records of all audiences in a store. */
export async function recordsIn({ records }: AudienceStore): Promise<readonly AudienceRecord[]> {
  return (await records.list({ kind: "audience", limit: 1_000 })).map(decodeAudience);
}

/** The members a and b, of which the second does not come until the gate is opened. */
export function createGate(): { readonly members: AsyncIterable<string>; open(): void } {
  let open = (): void => undefined;
  const whenOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  async function* members(): AsyncGenerator<string> {
    yield "a";
    await whenOpen;
    yield "b";
  }
  return {
    members: members(),
    open: (): void => {
      open();
    },
  };
}
