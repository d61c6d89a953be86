// Sends notifications to one hook, one at a time, each until the hook takes or refuses it or an hour is over. Its queue is
// bounded. Knows neither lanes nor deliveries, and no other hook.

import {
  type Clock,
  DEFAULT_RETRY_POLICY,
  type EndpointId,
  type HttpPort,
  judgeReply,
  type NotifyHook,
  plusMs,
  type Random,
  type Reply,
  type RetryPolicy,
  scheduleRetry,
} from "@postrider/core";
import {
  buildRequest,
  type Deadlines,
  defined,
  describeResult,
  holdUntil,
  type Notification,
  recordAttempt,
  writeNotification,
} from "@postrider/core/engine";
import { MAX_WAITING_NOTIFICATIONS, NOTIFY_MAX_RETRY_MS, NOTIFY_WINDOW_MS } from "../limits.js";
import { createLoop } from "../loop.js";
import type { EmitEvent } from "../relay-event.js";
import { sendRequest } from "../send-request.js";
import type { WaitingNotification } from "../relay-state.js";
import type { SettingsInForce } from "../settings-in-force.js";

const POLICY: RetryPolicy = {
  ...DEFAULT_RETRY_POLICY,
  retryWindowMs: NOTIFY_WINDOW_MS,
  maxRetryMs: NOTIFY_MAX_RETRY_MS,
};

interface HookContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly http: HttpPort;
  readonly deadlines: Deadlines;
  readonly settings: Pick<SettingsInForce, "workspace">;
  readonly emit: EmitEvent;
}

/** The hook of a queue, as the settings in force have it, and its place among them. */
export interface HookInForce {
  readonly hook: NotifyHook;
  readonly index: number;
}

export interface HookQueue {
  readonly start: () => void;
  add(notification: Notification): void;
  /** Begins no further attempt. Resolves once the one under way has ended. */
  readonly stop: () => Promise<void>;
  /** The notifications that wait, for the relay that takes over. */
  remember(): readonly WaitingNotification[];
}

/** `hookNow`: the hook in force, or undefined if the settings do not have it any more: then nothing is sent. */
export function createHookQueue(
  context: HookContext,
  endpoint: EndpointId,
  hookNow: () => HookInForce | undefined,
  earlier: readonly WaitingNotification[] = [],
): HookQueue {
  const { clock, random, emit } = context;
  const pending = [...earlier];
  /** The notifications that found the queue full; the next one that is added reports them. */
  let leftOut = 0;
  const loop = createLoop(clock, takeTurn);

  async function takeTurn(): Promise<number | undefined> {
    const [first] = pending;
    const inForce = hookNow();
    if (first === undefined || inForce === undefined) return undefined;
    const delayMs = first.retryAt === undefined ? 0 : first.retryAt - clock.monotonic();
    if (delayMs > 0) return delayMs;
    const startedAt = clock.wall();
    const request = requestOf(first, inForce.hook);
    const reply = await new Promise<Reply>((resolve) => sendRequest(request, context, resolve));
    const retry = retryOf({ ...first, firstAttemptAt: first.firstAttemptAt ?? startedAt }, startedAt, reply);
    if (retry === undefined) {
      pending.shift();
      report(first, reply, inForce.index);
    } else {
      pending[0] = retry;
    }
    loop.wake();
    return undefined;
  }

  function requestOf({ notification, leftOut: others }: WaitingNotification, hook: NotifyHook) {
    const { secrets, headers, standardWebhooks } = hook;
    const { timeoutMs } = context.settings.workspace().delivery;
    const standardWebhook = standardWebhooks === true ? { id: notification.id, at: clock.wall() } : undefined;
    const body = writeNotification(notification, others);
    return buildRequest(body, { endpoint, headers, secrets, timeoutMs, ...defined({ standardWebhook }) });
  }

  /** The notification with the time of its next attempt; undefined if there is none. */
  function retryOf(
    notification: WaitingNotification & Required<Pick<WaitingNotification, "firstAttemptAt">>,
    roundStartedAt: typeof notification.firstAttemptAt,
    reply: Reply,
  ): WaitingNotification | undefined {
    const verdict = judgeReply(reply);
    if (verdict === "success" || verdict === "refused") return undefined;
    const nowMs = clock.wall();
    const { firstAttemptAt } = notification;
    const rounds = notification.rounds + 1;
    const retryAfter = reply.kind === "answered" ? reply.retryAfter : undefined;
    const heldUntil = holdUntil(retryAfter, POLICY, random.unit(), nowMs);
    const history = { rounds, firstAttemptAt, roundStartedAt, ...defined({ heldUntil }) };
    const schedule = scheduleRetry(POLICY, history, { delay: random.unit(), slot: random.unit() }, nowMs);
    if (schedule.kind === "expired") return undefined;
    return { ...notification, rounds, retryAt: plusMs(clock.monotonic(), schedule.dueAt - nowMs) };
  }

  function report({ notification, rounds }: WaitingNotification, reply: Reply, hookIndex: number): void {
    const isSent = judgeReply(reply) === "success";
    const { result } = recordAttempt({ endpoint, startedAt: clock.wall(), reply }, rounds + 1);
    const facts = { hook: hookIndex, notification: notification.kind };
    emit(
      isSent
        ? { kind: "notification-sent", ...facts }
        : { kind: "notification-failed", ...facts, detail: describeResult(result) },
    );
  }

  return {
    start: loop.start,
    add: (notification): void => {
      if (pending.length >= MAX_WAITING_NOTIFICATIONS) {
        leftOut += 1;
        return;
      }
      pending.push({ notification, leftOut, rounds: 0 });
      leftOut = 0;
      loop.wake();
    },
    stop: () => loop.stop(),
    remember: () => pending,
  };
}
