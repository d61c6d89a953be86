// Takes connections from the pool of a host, and decides which may still be used: none that is old, whose server was probably replaced, or
// that has probably broken without a word (decision: silent connections). An object that the pool hands out for the first time is new.

import { type Clock, createStoreError, type MonoMs } from "@postrider/core";
import type { PostgresClient, PostgresPool } from "../pool.js";
import { AGE_SPREAD, CONNECT_DEADLINE_MS, DISTRUST_EVERY_MS, MAX_AGE_MS, MAX_ENDED, REST_MS } from "./limits.js";
import { nameConnectError } from "./name-error.js";

/** A connection for one request. */
export interface TakenConnection {
  readonly client: PostgresClient;
  /** True if its last answer is at least `REST_MS` ago. */
  readonly hasRested: boolean;
  /** Gives it back; ends it if it is not usable, old or doubtful. */
  readonly giveBack: (isUsable: boolean) => void;
}

/** The connections of one store. */
export interface Connections {
  /** Rejects as `busy` if none can be had. Ends those that must not be used, up to `MAX_ENDED`. */
  take(): Promise<TakenConnection>;
  /**
   * Ends all that were made until now, each at its next use: their server takes no writes, or goes away. Repeated sooner than after
   * `DISTRUST_EVERY_MS`, it changes nothing.
   */
  distrust(): void;
  /** Ends those that have answered nothing since that instant, each at its next use. */
  doubt(since: MonoMs): void;
}

interface Life {
  readonly madeAt: MonoMs;
  readonly endsAt: MonoMs;
  answeredAt: MonoMs;
}

export interface ConnectionsContext {
  readonly pool: PostgresPool;
  readonly clock: Pick<Clock, "after" | "monotonic">;
}

/** Steps of this length, wrapped at 1, fall evenly between 0 and 1: no two connections that are made together end together. */
const GOLDEN = 0.618;

export function createConnections({ pool, clock }: ConnectionsContext): Connections {
  const lives = new WeakMap<PostgresClient, Life>();
  let connectionCount = 0;
  let distrustedAt = Number.NEGATIVE_INFINITY;
  let doubtedSince = Number.NEGATIVE_INFINITY;

  function lifeOf(client: PostgresClient): Life {
    const existing = lives.get(client);
    if (existing !== undefined) return existing;
    const nowMs = clock.monotonic();
    connectionCount += 1;
    const ageFactor = 1 - AGE_SPREAD + 2 * AGE_SPREAD * ((connectionCount * GOLDEN) % 1);
    const life: Life = { madeAt: nowMs, endsAt: (nowMs + MAX_AGE_MS * ageFactor) as MonoMs, answeredAt: nowMs };
    lives.set(client, life);
    return life;
  }

  /** A pool may be used up by its host, or look up a name for ever. A connection that it hands out late goes back. */
  function connect(): Promise<PostgresClient> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const cancel = clock.after(CONNECT_DEADLINE_MS, () => {
        isLate = true;
        reject(createStoreError("busy", `no connection within ${String(CONNECT_DEADLINE_MS)} ms`));
      });
      const handOver = (client: PostgresClient): void => {
        if (isLate) client.release();
        else resolve(client);
      };
      const refuse = (error: unknown): void => {
        reject(nameConnectError(error));
      };
      pool.connect().then(handOver, refuse).finally(cancel);
    });
  }

  function isGood({ madeAt, endsAt, answeredAt }: Life): boolean {
    return madeAt >= distrustedAt && answeredAt >= doubtedSince && clock.monotonic() < endsAt;
  }

  return {
    take: async (): Promise<TakenConnection> => {
      for (let endedCount = 0; ; endedCount += 1) {
        const client = await connect();
        const life = lifeOf(client);
        if (!isGood(life) && endedCount < MAX_ENDED) {
          client.release(true);
          continue;
        }
        const hasRested = clock.monotonic() - life.answeredAt >= REST_MS;
        return {
          client,
          hasRested,
          giveBack: (isUsable): void => {
            if (isUsable) life.answeredAt = clock.monotonic();
            client.release(!isUsable || !isGood(life));
          },
        };
      }
    },
    distrust: (): void => {
      const nowMs = clock.monotonic();
      if (nowMs - distrustedAt >= DISTRUST_EVERY_MS) distrustedAt = nowMs;
    },
    doubt: (since): void => {
      doubtedSince = Math.max(doubtedSince, since);
    },
  };
}
