// Shares lane states between processes. The board has the record of a lane as JSON beside its revision; its cursor is the snapshot
// before which all changes were returned. Hints go over NOTIFY and LISTEN, each by a separate transaction, since a commit with a
// notification holds a lock of the whole server; a process that listens has one connection of the pool for that alone.

import {
  type BoardNews,
  type BoardRow,
  createStoreError,
  type LaneBoard,
  processId,
  type Cancel,
  type Clock,
  destinationId,
  type DestinationId,
  type Hints,
} from "@postrider/core";
import { int8Array, keyArray, textArray, toLimit, placeholders } from "../wire/values.js";
import { hashKeyOf, hashTextOf, encodeAnyText } from "../wire/text.js";
import { readBytesText, readBytes, readTextOrEmpty, type TextRow } from "../wire/read-row.js";
import type { Functions } from "./functions.js";
import type { Requests } from "../connection/requests.js";
import { SILENCE_DEADLINE_MS } from "../connection/limits.js";
import { beforeDeadline } from "../connection/patience.js";
import type { NoticeListener, PostgresClient, PostgresPool } from "../pool.js";

/** The board of a store. */
export function createPostgresBoard({ connection, schema, timeFor }: Functions): LaneBoard {
  return {
    beat: async ({ process, share, liveForMs, since, limit }, now): Promise<BoardNews> => {
      const cursor = readCursor(since);
      const maxRows = toLimit(limit);
      const rows = await connection.ask(`select * from ${schema}.beat(${placeholders(9)})`, [
        timeFor(now),
        hashKeyOf(process),
        encodeAnyText(process),
        share,
        liveForMs,
        cursor.since,
        cursor.until,
        cursor.after,
        maxRows + 1,
      ]);
      const living = rows.filter(({ name }) => name !== null);
      const processes = living.map((row) => ({
        process: processId(readBytesText(row, "name")),
        share: readShare(row),
      }));
      return { processes, ...readPage(rows, cursor, maxRows) };
    },
    write: async (rows) => {
      const keyedRows = rows.map((row) => ({ key: hashTextOf(row.lane), row }));
      keyedRows.sort((first, second) => (first.key < second.key ? -1 : 1));
      const existing = await connection.ask(`select * from ${schema}.write_board($1, $2, $3)`, [
        keyArray(keyedRows.map(({ key }) => key)),
        int8Array(keyedRows.map(({ row }) => row.revision)),
        textArray(keyedRows.map(({ row }) => JSON.stringify(row))),
      ]);
      return existing.map(readBoardRow);
    },
    leave: async (process): Promise<void> => {
      await connection.ask(`delete from ${schema}.board_process where key = $1::uuid`, [hashKeyOf(process)]);
    },
  };
}

/** The start of the changes still to be returned; between pages also the snapshot at which the pages end, and the last lane. */
interface Cursor {
  readonly since: string | null;
  readonly until: string | null;
  readonly after: string | null;
}

/** `since`, or `since/until/after` between the pages of one answer; `since` is empty before the first of them has ended. */
function readCursor(text = ""): Cursor {
  const [since = "", until = "", after = ""] = text.split("/");
  return { since: since || null, until: until || null, after: after || null };
}

/** After the last of several pages there may be more: the changes that were made while they were read. */
function readPage(
  rows: readonly TextRow[],
  cursor: Cursor,
  maxRows: number,
): Pick<BoardNews, "rows" | "next" | "more"> {
  const changedRows = rows.filter(({ record }) => record !== null);
  const page = changedRows.slice(0, maxRows);
  const isCut = page.length < changedRows.length;
  const until = readTextOrEmpty(rows.at(-1) ?? {}, "until");
  const next = isCut
    ? [cursor.since ?? "", until, readTextOrEmpty(page.at(-1) ?? {}, "key") || (cursor.after ?? "")].join("/")
    : until;
  return { rows: page.map(readBoardRow), next, more: isCut || cursor.until !== null };
}

/** JSON keeps every text and every number, since it escapes lone surrogates. */
function readBoardRow(row: TextRow): BoardRow {
  return JSON.parse(readBytes(row, "record").toString("utf8")) as BoardRow;
}

function readShare(row: TextRow): number {
  const share = Number(readTextOrEmpty(row, "share"));
  if (!Number.isFinite(share)) throw createStoreError("corrupt", "PostgreSQL: the share of a process is no number");
  return share;
}

/** The options of `createPostgresHints`. */
interface HintOptions {
  readonly pool: PostgresPool;
  readonly connection: Requests;
  readonly clock: Pick<Clock, "after">;
  /** The name of the schema, which is also that of the channel. */
  readonly schema: { readonly plain: string; readonly quoted: string };
}

/** The bytes that a notification may have. */
const MAX_PAYLOAD_BYTES = 7_999;

/** The time that a listener waits after the end of its connection before it connects again. */
const RECONNECT_MS = 1_000;

/** The interval at which a listener asks whether its connection still answers: nothing else is asked over it. */
const CHECK_EVERY_MS = 10_000;

/** The hints of one store, which end with `close`. */
interface PostgresHints {
  readonly hints: Hints;
  readonly close: () => void;
}

export function createPostgresHints(options: HintOptions): PostgresHints {
  const unlisteners = new Set<() => void>();
  let isOpen = true;
  return {
    hints: {
      tell: async (lanes): Promise<void> => {
        await options.connection.ask("select pg_notify($1, $2)", [options.schema.plain, writePayload(lanes)]);
      },
      listen: (onTold) => {
        if (!isOpen) return () => undefined;
        const stop = listen(options, onTold);
        const unlisten = (): void => {
          unlisteners.delete(unlisten);
          stop();
        };
        unlisteners.add(unlisten);
        return unlisten;
      },
    },
    close: (): void => {
      isOpen = false;
      for (const unlisten of unlisteners) unlisten();
    },
  };
}

/** Keeps a listening connection until the returned function is called. Hints that come while there is none are lost. */
function listen({ pool, clock, schema }: HintOptions, onTold: (lanes: readonly DestinationId[]) => void): () => void {
  let cancel: Cancel | undefined;
  let cancelCheck: Cancel | undefined;
  let drop: () => void = nothing;
  let isStopped = false;

  function reconnectLater(): void {
    cancelCheck?.();
    if (!isStopped) cancel = clock.after(RECONNECT_MS, () => void connect());
  }

  async function connect(): Promise<void> {
    const client = await pool.connect().catch(nothing);
    if (client === undefined) {
      reconnectLater();
      return;
    }
    drop = listenOn(client, { onTold, onEnd: reconnectLater });
    if (isStopped) drop();
    else await listenAgain(client);
  }

  /** Repeating LISTEN changes nothing, and shows if the connection still answers. A server that has become a standby refuses it. */
  async function listenAgain(client: PostgresClient): Promise<void> {
    cancelCheck = clock.after(CHECK_EVERY_MS, () => void listenAgain(client));
    const listening = client.query({ text: `listen ${schema.quoted}` });
    await beforeDeadline(clock, listening, SILENCE_DEADLINE_MS).catch(drop);
  }

  void connect();
  return () => {
    isStopped = true;
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
  const onNotification: NoticeListener = ({ payload = "" }) => {
    if (!isDropped) onTold(readPayload(payload));
  };
  function drop(): void {
    if (isDropped) return;
    isDropped = true;
    client.release(true);
    onEnd();
  }
  client.on("notification", onNotification);
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

/** A notification of another program on the channel of this name stands for any lane. */
function readPayload(payload: string): readonly DestinationId[] {
  try {
    const lanes: unknown = JSON.parse(payload);
    return Array.isArray(lanes) && lanes.every((lane) => typeof lane === "string") ? lanes.map(destinationId) : [];
  } catch {
    return [];
  }
}
