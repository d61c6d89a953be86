// An incident in memory, drawn from a seed: receivers that fail, hang and ask for pauses, a store that is busy now and then, a
// lane that is held, a deletion, other settings, a stop. The relay runs on recorded ports, or on real ones.

import {
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type DeliveryPolicy,
  type DeliveryStore,
  type Destination,
  destinationId,
  epochMs,
  type Random,
  sourceId,
  type Workspace,
} from "@postrider/core";
import { decodeAudience, encodeAudience } from "@postrider/core/engine";
import {
  createManualClock,
  createMemoryAudienceStore,
  createMemoryDisk,
  createMemoryStore,
  createScriptedHttp,
  createSeededRandom,
  type ScriptedReply,
} from "@postrider/memory";
import { createRelay, type Relay, type RelayEvent } from "@postrider/relay";
import { recordPorts, type RecordOptions } from "@postrider/relay/trace";

const SOURCE = sourceId("site");
const LANES = ["crm", "mail", "stats"];
/** The turns of the event loop after each timer: an answer of a recorded port comes in a separate turn. */
const SETTLE_TURNS = 12;

export const PRIVATE = { user: "jane.doe@example.org", word: "Grüße, Zoë 한국", header: "Bearer t0p-secret-header" };

const MEMBERS = [PRIVATE.user, "member-1", "member-2"].map((userId) => ({
  userId,
  value: JSON.stringify(PRIVATE.word),
}));

export interface IncidentOptions extends RecordOptions {
  readonly seed: number;
  readonly calls?: number;
  readonly policy?: Partial<DeliveryPolicy>;
  /** Whether the trace is saved in the middle of the load, and not after an hour in which nothing came in. */
  readonly isBusy?: boolean;
  /** By how much the clock of the store is ahead; without it the store has none. */
  readonly storeAheadMs?: number;
  /** Whether the store has a board. */
  readonly hasBoard?: boolean;
}

export interface Incident {
  readonly events: readonly RelayEvent[];
  readonly bytes: Uint8Array;
  readonly workspace: Workspace;
}

/** Plays an incident to its end, and saves its trace. */
export async function playIncident({
  seed,
  calls = 60,
  policy,
  isBusy = false,
  storeAheadMs,
  hasBoard = false,
  ...recorded
}: IncidentOptions): Promise<Incident> {
  const random = createSeededRandom(seed);
  const clock = createManualClock({ settle });
  const workspace = incidentWorkspace(policy);
  const shared = storeAheadMs !== undefined && { clock: { wall: () => epochMs(clock.wall() + storeAheadMs) } };
  const memory = createMemoryStore({ disk: createMemoryDisk(), shared: hasBoard, ...shared });
  const store = busyNowAndThen(memory, createSeededRandom(seed + 1));
  const http = createScriptedHttp({ clock, script: (request) => reply(request.url, random) });
  const { ports, saveTrace } = recordPorts({ store, http, clock, random: createSeededRandom(seed + 2) }, recorded);
  const events: RelayEvent[] = [];
  const relay = createRelay({ workspace, ...ports, observe: (event) => void events.push(event) });
  relay.start();
  for (let call = 0; call < calls; call += 1) {
    void accept(relay, call, random);
    await clock.advance(random.unit() * 3_000);
    if (call === Math.floor(calls / 2)) await changeThings(relay, workspace);
    if (call % 20 === 19) await clock.advance(120_000);
  }
  const busy = isBusy ? await saveTrace() : undefined;
  await clock.advance(3_600_000);
  const stopped = relay.stop();
  await clock.advance(60_000);
  await stopped;
  return { events, bytes: busy ?? (await saveTrace()), workspace };
}

/** The trace of a relay with an audience, `vip`, of which destinations were told in two parts; its host asks for something. */
export async function recordAudiences(ask: (relay: Relay) => unknown): Promise<Uint8Array> {
  const clock = createManualClock({ settle });
  const store = createMemoryStore({ disk: createMemoryDisk() });
  const audiences = createMemoryAudienceStore();
  const http = createScriptedHttp({ clock, script: () => ({ kind: "answers", status: 200, afterMs: 15 }) });
  const real = { store, audiences, http, clock, random: createSeededRandom(1) };
  const workspace = incidentWorkspace();
  const destinations = workspace.destinations.map(({ id }) => id);
  const earlier = createRelay({ workspace, ...real });
  const created = earlier.createAudience({
    name: "vip",
    kind: "trait",
    sendsAs: "identify",
    destinations,
  });
  if ((await created).isErr()) throw new Error("the audience was refused");
  const synced = earlier.syncAudience("vip", MEMBERS);
  await clock.advance(1_000);
  if ((await synced).isErr()) throw new Error("the sync was refused");
  const stored = await audiences.records.find("audience", "vip");
  if (stored === undefined) throw new Error("the audience is gone");
  const record = decodeAudience(stored);
  const told = record.told.map(({ parts, ...rest }) => ({
    ...rest,
    parts: parts.flatMap((part) => [{ ...part, upTo: PRIVATE.user }, part]),
  }));
  await audiences.records.put(encodeAudience({ ...record, revision: record.revision + 1, told }));
  const { ports, saveTrace } = recordPorts(real);
  const relay = createRelay({ workspace, ...ports });
  relay.start();
  void relay.accept({ source: SOURCE, calls: [{ type: "track", event: "Order Completed", userId: "u1" }] });
  await clock.advance(1_000);
  void ask(relay);
  await clock.advance(1_000);
  const stopped = relay.stop();
  await clock.advance(60_000);
  await stopped;
  return saveTrace();
}

function accept(relay: Relay, call: number, random: Random): ReturnType<Relay["accept"]> {
  const user = call % 7 === 0 ? PRIVATE.user : `user-${String(call % 9)}`;
  const properties = { total: call / 8, word: PRIVATE.word, list: ["a", call, null, { $bytes: 3, deep: [true] }] };
  const one = { type: "track", event: "Order Completed", userId: user, properties, context: { ip: "10.0.0.1" } };
  const other = { type: "identify", userId: user, messageId: `m${String(call)}`, traits: { email: user } };
  const wrong = { type: "track", userId: user };
  const calls = random.unit() < 0.2 ? [one, other, wrong] : [one];
  return relay.accept({ source: SOURCE, calls });
}

/** How many requests of test events an incident has. */
export const TEST_EVENTS = 2;

async function changeThings(relay: Relay, workspace: Workspace): Promise<void> {
  const configured = relay.configure({
    ...workspace,
    destinations: workspace.destinations.map((one) => ({ ...one, acceptsHistorical: false })),
  });
  if (configured.isErr()) throw new Error("the settings were refused");
  void relay.requestDeletion({ userIds: [PRIVATE.user], regulation: "suppress-with-delete" });
  const context = { campaign: { name: PRIVATE.word } };
  void relay.test({ destination: destinationId("stats"), call: { type: "identify", userId: PRIVATE.user, context } });
  void relay.test({ destination: destinationId("stats") });
  await settle();
  void relay.deliveries({ limit: 5 });
  void relay.suppressed({ limit: 10 });
}

export function incidentWorkspace(policy: Partial<DeliveryPolicy> = {}): Workspace {
  return {
    sources: [{ id: SOURCE, name: "Site", writeKey: createSecret("wk_incident") }],
    destinations: LANES.map(destination),
    delivery: { ...DEFAULT_DELIVERY, ...policy },
    retention: DEFAULT_RETENTION,
  };
}

function destination(id: string): Destination {
  const headers: Destination["endpoints"][number]["headers"] = [["Authorization", createSecret(PRIVATE.header)]];
  return {
    id: destinationId(id),
    name: id,
    enabled: true,
    paused: false,
    acceptsHistorical: true,
    sources: [{ source: SOURCE, mode: "cloud" }],
    endpoints: [
      { url: `https://${id}.example/hook?key=quite-secret&v=2`, headers },
      ...(id === "mail" ? [{ url: "https://mail.example/second", headers: [] }] : []),
    ],
    secrets: [createSecret("shared-secret-of-the-incident")],
    standardWebhooks: id === "crm",
    ...(id === "stats" ? { rateLimit: { perSecond: 2, burst: 5 } } : {}),
  };
}

function reply(url: string, random: Random): ScriptedReply {
  const chance = random.unit();
  if (url.startsWith("https://crm.")) return { kind: "answers", status: 503, afterMs: 40 };
  if (chance < 0.1) return { kind: "hangs" };
  if (chance < 0.2)
    return { kind: "answers", status: 429, afterMs: 20, retryAfter: "30", excerpt: Buffer.from(PRIVATE.user) };
  if (chance < 0.25) return { kind: "fails", fault: "connection-reset", afterMs: 3 };
  return { kind: "answers", status: 200, afterMs: 15 };
}

/** A store that is busy for one commit or claim in ten. */
function busyNowAndThen(store: DeliveryStore, random: Random): DeliveryStore {
  const busy = (): Promise<never> => Promise.reject(Object.assign(new Error("busy"), { code: "busy" as const }));
  return {
    ...store,
    commit: (changes, now) => (random.unit() < 0.1 ? busy() : store.commit(changes, now)),
    claim: (request, now) => (random.unit() < 0.1 ? busy() : store.claim(request, now)),
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < SETTLE_TURNS; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
