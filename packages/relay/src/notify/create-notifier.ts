// Tells the hooks of the settings what an operator must know (decision: notifications): looks at intervals, makes one notification
// of all that is found of one kind, and passes it to the queue of each hook that wants it. Does nothing without hooks.

import {
  type Clock,
  type DestinationId,
  type EndpointId,
  type LaneStatus,
  type NotificationKind,
  type NotifyHook,
  type Random,
  readEndpointUrl,
} from "@postrider/core";
import { defined, MAX_NOTIFIED_PLACES, type Notification, type NotifiedPlace } from "@postrider/core/engine";
import { NOTIFICATION_ID_BYTES, NOTIFY_LOOK_MS } from "../limits.js";
import { createLoop } from "../loop.js";
import { randomHex } from "../random-hex.js";
import type { NotifyMemory, WaitingNotification } from "../relay-state.js";
import type { Duty } from "../state/duty.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { HookInForce, HookQueue } from "./hook-queue.js";
import type { DueTrouble, NotifyBook } from "./notify-book.js";

export interface Notifier {
  start(): void;
  /** To be called when other settings are in force. */
  readonly applySettings: () => void;
  stop(): Promise<void>;
  /** What is to be told, for the relay that takes over; undefined if there are no hooks. */
  remember(): NotifyMemory | undefined;
}

export interface NotifierContext {
  readonly clock: Pick<Clock, "wall" | "after">;
  readonly random: Random;
  readonly settings: Pick<SettingsInForce, "workspace">;
  readonly book: Pick<NotifyBook, "takeDue" | "remember">;
  readonly duty: Pick<Duty, "isMine">;
  /** Looks for what lasts, and counts it in the book. */
  readonly watch: () => void;
  readonly laneStatus: (destination: DestinationId) => LaneStatus;
  /** Creates the queue of a hook, with what waits for it. */
  readonly createQueue: (
    endpoint: EndpointId,
    hookNow: () => HookInForce | undefined,
    known?: readonly WaitingNotification[],
  ) => HookQueue;
}

/** What each process on the store sees, so that one of them tells it; all else is told by the process that it happens to. */
const SEEN_BY_ALL: ReadonlySet<NotificationKind> = new Set([
  "lane-held",
  "lane-open",
  "window-at-risk",
  "deletion-late",
]);

export function createNotifier(context: NotifierContext, known?: NotifyMemory): Notifier {
  const { clock, random, settings, book } = context;
  const queues = new Map<EndpointId, HookQueue>();
  /** Queues of hooks that the settings do not have any more. */
  const leaving = new Set<Promise<void>>();
  const loop = createLoop(clock, look);
  const waiting = new Map(known?.waiting);
  let hooks: ReadonlyMap<EndpointId, HookInForce> = new Map();
  let isStarted = false;

  function look(): Promise<number | undefined> {
    // Without hooks the loop sleeps until other settings are in force.
    if (queues.size === 0) return Promise.resolve(undefined);
    context.watch();
    for (const due of book.takeDue()) if (context.duty.isMine() || !SEEN_BY_ALL.has(due.kind)) tell(due);
    return Promise.resolve(NOTIFY_LOOK_MS);
  }

  function tell({ kind, places }: DueTrouble): void {
    const named = places.slice(0, MAX_NOTIFIED_PLACES).map(withLane);
    const id = `ntf_${randomHex(random, NOTIFICATION_ID_BYTES)}`;
    const notification: Notification = {
      id,
      kind,
      at: clock.wall(),
      places: named,
      more: places.length - named.length,
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
    const queue = context.createQueue(endpoint, () => hooks.get(endpoint), waiting.get(endpoint));
    waiting.delete(endpoint);
    queues.set(endpoint, queue);
    if (isStarted) queue.start();
  }

  function leave(endpoint: EndpointId, queue: HookQueue): void {
    queues.delete(endpoint);
    const left = queue.stop().finally(() => leaving.delete(left));
    leaving.add(left);
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
      await Promise.all([...[...queues.values()].map((queue) => queue.stop()), ...leaving]);
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
