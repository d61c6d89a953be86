// Notifies the hooks of the settings of trouble (decision: notifications): looks at intervals for lasting trouble, such as lanes
// that are held and requests about users that are late, makes one notification of all that is found of one kind, and passes it to
// the queue of each hook that wants it. Without hooks there are no notifications.

import {
  type Clock,
  type DestinationId,
  type EndpointId,
  type LaneStatus,
  type NotificationKind,
  type NotifyHook,
  type Random,
  readEndpointUrl,
  type MonoMs,
  plusMs,
} from "@postrider/core";
import {
  defined,
  MAX_NOTIFIED_PLACES,
  type Notification,
  type NotifiedPlace,
  type LaneTrouble,
  laneTroubles,
  NOTIFY_LATE_DELETION_MS,
} from "@postrider/core/engine";
import { NOTIFICATION_ID_BYTES, NOTIFY_LOOK_MS, LATE_DELETIONS_AT_ONCE, LATE_DELETIONS_EVERY_MS } from "../limits.js";
import { createLoop } from "../loop.js";
import { randomHex } from "../random-hex.js";
import type { NotifyMemory, WaitingNotification } from "../relay-state.js";
import type { Duty } from "../fleet/lane-sync.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { HookInForce, HookQueue } from "./hook-queue.js";
import type { DueTrouble, NotifyBook, LastingTrouble, LastingTroubles } from "./book.js";
import type { Lanes } from "../lanes/lanes.js";
import type { Storage } from "../commits/storage.js";

/** Kinds that each process on the store sees, so that only the process on duty sends them. The process that sees another kind sends it. */
const SEEN_BY_ALL: ReadonlySet<NotificationKind> = new Set([
  "lane-held",
  "lane-open",
  "window-at-risk",
  "deletion-late",
]);

interface Notifier {
  start(): void;
  /** To be called when other settings are in force. */
  readonly applySettings: () => void;
  stop(): Promise<void>;
  /** The pending notifications, for the relay that takes over; undefined if there are no hooks. */
  remember(): NotifyMemory | undefined;
}

interface NotifierContext {
  readonly clock: Pick<Clock, "wall" | "after">;
  readonly random: Random;
  readonly settings: Pick<SettingsInForce, "workspace">;
  readonly book: Pick<NotifyBook, "takeDue" | "remember">;
  readonly duty: Pick<Duty, "isMine">;
  /** Looks for lasting trouble, and counts it in the book. */
  readonly watch: () => void;
  readonly laneStatus: (destination: DestinationId) => LaneStatus;
  /** Creates the queue of a hook, with the notifications that wait for it. */
  readonly createQueue: (
    endpoint: EndpointId,
    hookNow: () => HookInForce | undefined,
    earlier?: readonly WaitingNotification[],
  ) => HookQueue;
}

export function createNotifier(context: NotifierContext, memory?: NotifyMemory): Notifier {
  const { clock, random, settings, book } = context;
  const queues = new Map<EndpointId, HookQueue>();
  /** The ends of queues whose hooks are not in the settings any more. */
  const stoppingQueues = new Set<Promise<void>>();
  const loop = createLoop(clock, look);
  const pending = new Map(memory?.waiting);
  let hooks: ReadonlyMap<EndpointId, HookInForce> = new Map();
  let isStarted = false;

  function look(): Promise<number | undefined> {
    // Without hooks the loop sleeps until other settings are in force.
    if (queues.size === 0) return Promise.resolve(undefined);
    context.watch();
    for (const dueTrouble of book.takeDue())
      if (context.duty.isMine() || !SEEN_BY_ALL.has(dueTrouble.kind)) tell(dueTrouble);
    return Promise.resolve(NOTIFY_LOOK_MS);
  }

  function tell({ kind, places }: DueTrouble): void {
    const namedPlaces = places.slice(0, MAX_NOTIFIED_PLACES).map(withLane);
    const id = `ntf_${randomHex(random, NOTIFICATION_ID_BYTES)}`;
    const notification: Notification = {
      id,
      kind,
      at: clock.wall(),
      places: namedPlaces,
      more: places.length - namedPlaces.length,
    };
    for (const [endpoint, queue] of queues) {
      const inForce = hooks.get(endpoint);
      if (inForce !== undefined && wants(inForce.hook, kind)) queue.add(notification);
    }
  }

  function withLane(place: NotifiedPlace): NotifiedPlace {
    return place.destination === undefined ? place : { ...place, lane: laneOf(place.destination) };
  }

  function laneOf(id: DestinationId): NonNullable<NotifiedPlace["lane"]> {
    const { mode, deliveries, windowEndsAt } = context.laneStatus(id);
    return { mode, waiting: deliveries, ...defined({ windowEndsAt }) };
  }

  function applySettings(): void {
    hooks = new Map((settings.workspace().notify ?? []).flatMap(toInForce));
    for (const [endpoint, queue] of queues) if (!hooks.has(endpoint)) leave(endpoint, queue);
    for (const endpoint of hooks.keys()) if (!queues.has(endpoint)) join(endpoint);
    loop.wake();
  }

  function join(endpoint: EndpointId): void {
    const queue = context.createQueue(endpoint, () => hooks.get(endpoint), pending.get(endpoint));
    pending.delete(endpoint);
    queues.set(endpoint, queue);
    if (isStarted) queue.start();
  }

  function leave(endpoint: EndpointId, queue: HookQueue): void {
    queues.delete(endpoint);
    const stopping = queue.stop().finally(() => stoppingQueues.delete(stopping));
    stoppingQueues.add(stopping);
  }

  applySettings();
  return {
    start: (): void => {
      isStarted = true;
      for (const queue of queues.values()) queue.start();
      loop.start();
    },
    applySettings,
    stop: async (): Promise<void> => {
      await loop.stop();
      await Promise.all([...[...queues.values()].map((queue) => queue.stop()), ...stoppingQueues]);
    },
    remember: () =>
      queues.size === 0
        ? undefined
        : { ...book.remember(), waiting: [...queues].map(([endpoint, queue]) => [endpoint, queue.remember()]) },
  };
}

function wants({ on }: NotifyHook, kind: NotificationKind): boolean {
  return on === undefined || on.includes(kind);
}

/** The settings are checked, so each URL can be read. */
function toInForce(hook: NotifyHook, index: number): readonly (readonly [EndpointId, HookInForce])[] {
  const url = readEndpointUrl(hook.url);
  return url.kind === "ok" ? [[url.id, { hook, index }]] : [];
}

interface LaneWatchContext {
  readonly clock: Pick<Clock, "wall">;
  readonly lanes: Pick<Lanes, "all">;
  readonly settings: Pick<SettingsInForce, "workspace" | "destination">;
}

interface DeletionWatchContext {
  readonly clock: Pick<Clock, "wall">;
  readonly storage: Pick<Storage, "askDeletions">;
}

interface WatchContext extends LaneWatchContext, DeletionWatchContext {
  readonly clock: Pick<Clock, "wall" | "monotonic">;
}

/** The part of the book that a look writes. */
type WatchBook = Pick<NotifyBook, "note" | "noteLasting">;

/**
 * Returns a function that looks once, and counts in the book what it finds. It does not wait for the store, which may hang: the
 * answer of the store is counted when it comes.
 */
export function createWatch(context: WatchContext, book: WatchBook): () => void {
  const { clock } = context;
  let nextAskAt: MonoMs | undefined;
  let isAsking = false;

  return (): void => {
    watchLanes(context, book);
    if (isAsking || (nextAskAt !== undefined && clock.monotonic() < nextAskAt)) return;
    nextAskAt = plusMs(clock.monotonic(), LATE_DELETIONS_EVERY_MS);
    isAsking = true;
    void watchDeletions(context, book).finally(() => {
      isAsking = false;
    });
  };
}

function watchLanes({ clock, lanes, settings }: LaneWatchContext, book: WatchBook): void {
  const troubles: Readonly<Record<LaneTrouble, Map<DestinationId, LastingTrouble>>> = {
    "lane-failing": new Map(),
    "lane-held": new Map(),
    "window-at-risk": new Map(),
  };
  const nowMs = clock.wall();
  const { delivery } = settings.workspace();
  for (const [id, lane] of lanes.all()) {
    if (settings.destination(id) === undefined) continue;
    for (const trouble of laneTroubles(lane, delivery, nowMs)) {
      const detail = trouble === "window-at-risk" ? undefined : lane.lastFailure?.detail;
      troubles[trouble].set(id, { count: 1, ...defined({ detail }) });
    }
  }
  book.noteLasting("lane-failing", troubles["lane-failing"]);
  book.noteLasting("window-at-risk", troubles["window-at-risk"]);
  for (const place of book.noteLasting("lane-held", troubles["lane-held"])) {
    if (place !== null) book.note({ kind: "lane-open", destination: place, count: 1 });
  }
}

/** If the store cannot tell, its earlier answer still holds. */
async function watchDeletions(
  { clock, storage: { askDeletions } }: DeletionWatchContext,
  book: Pick<NotifyBook, "noteLasting">,
): Promise<void> {
  if (askDeletions === undefined) return;
  const page = await askDeletions((store) => store.list({ unfinished: true, limit: LATE_DELETIONS_AT_ONCE }));
  if (page.isErr()) return;
  const lateDeletions = page.value.deletions.filter(
    ({ requestedAt }) => clock.wall() - requestedAt > NOTIFY_LATE_DELETION_MS,
  );
  const troubles: LastingTroubles =
    lateDeletions.length === 0 ? new Map() : new Map([[null, { count: lateDeletions.length }]]);
  book.noteLasting("deletion-late", troubles);
}
