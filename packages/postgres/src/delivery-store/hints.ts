// Hints over NOTIFY and LISTEN. Each is told by a separate transaction, since a commit with a notification holds a lock of the whole
// server; a process that listens has one connection of the pool for that alone.

import { type Cancel, type Clock, destinationId, type DestinationId, type Hints } from "@postrider/core";
import type { Requests } from "../connection/connection.js";
import { SILENCE_DEADLINE_MS } from "../connection/limits.js";
import { beforeDeadline } from "../connection/patience.js";
import type { NoticeListener, PostgresClient, PostgresPool } from "../pool.js";

/** What hints need. */
export interface HintOptions {
  readonly pool: PostgresPool;
  readonly connection: Requests;
  readonly clock: Pick<Clock, "after">;
  /** The schema of the store, whose name the channel has. */
  readonly schema: { readonly plain: string; readonly quoted: string };
}

/** The bytes that a notification may have. */
const MAX_PAYLOAD_BYTES = 7_999;
/** How long after the end of its connection a listener connects again. */
const RECONNECT_MS = 1_000;
/** How often a listener asks whether its connection still answers: nothing else is asked over it. */
const LOOK_EVERY_MS = 10_000;

export function createPostgresHints(options: HintOptions): Hints {
  return {
    tell: async (lanes): Promise<void> => {
      await options.connection.ask("select pg_notify($1, $2)", [options.schema.plain, writePayload(lanes)]);
    },
    listen: (onTold) => listen(options, onTold),
  };
}

/** Keeps a listening connection until the returned function is called. What is told while there is none is lost. */
function listen({ pool, clock, schema }: HintOptions, onTold: (lanes: readonly DestinationId[]) => void): () => void {
  let cancel: Cancel | undefined;
  let cancelLook: Cancel | undefined;
  let drop: () => void = nothing;
  let isOver = false;

  function later(): void {
    cancelLook?.();
    if (!isOver) cancel = clock.after(RECONNECT_MS, () => void connect());
  }

  async function connect(): Promise<void> {
    const client = await pool.connect().catch(nothing);
    if (client === undefined) {
      later();
      return;
    }
    drop = listenOn(client, { onTold, onEnd: later });
    if (isOver) drop();
    else await look(client);
  }

  /** Listens, which repeated changes nothing. A server that has become a standby refuses it. */
  async function look(client: PostgresClient): Promise<void> {
    cancelLook = clock.after(LOOK_EVERY_MS, () => void look(client));
    const listening = client.query({ text: `listen ${schema.quoted}` });
    await beforeDeadline(clock, listening, SILENCE_DEADLINE_MS).catch(drop);
  }

  void connect();
  return () => {
    isOver = true;
    cancel?.();
    drop();
  };
}

interface Listener {
  readonly onTold: (lanes: readonly DestinationId[]) => void;
  /** Called once, when the connection is dropped or has ended by itself. */
  readonly onEnd: () => void;
}

/** Returns the function that drops the connection. */
function listenOn(client: PostgresClient, { onTold, onEnd }: Listener): () => void {
  let isDropped = false;
  const hear: NoticeListener = ({ payload = "" }) => {
    if (!isDropped) onTold(readPayload(payload));
  };
  function drop(): void {
    if (isDropped) return;
    isDropped = true;
    client.release(true);
    onEnd();
  }
  client.on("notification", hear);
  client.on("error", drop);
  client.on("end", drop);
  return drop;
}

function nothing(): undefined {
  // A connection that cannot be had is tried again.
}

function writePayload(lanes: readonly DestinationId[]): string {
  const payload = JSON.stringify(lanes);
  return new TextEncoder().encode(payload).length > MAX_PAYLOAD_BYTES ? "[]" : payload;
}

/** What another program has told on the channel of this name stands for any lane. */
function readPayload(payload: string): readonly DestinationId[] {
  try {
    const lanes: unknown = JSON.parse(payload);
    return Array.isArray(lanes) && lanes.every((lane) => typeof lane === "string") ? lanes.map(destinationId) : [];
  } catch {
    return [];
  }
}
