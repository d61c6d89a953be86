// The shape of a pool of connections that the store works on: the part of `pg` that it needs, and no more. A host hands in its own
// pool.

/** A query as `pg` takes it. A `Uint8Array` value is sent as it is, in PostgreSQL's binary format. */
export interface PostgresQuery {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** The parsers for values of the answer; the store takes them as text. */
  readonly types?: { getTypeParser(oid: number, format?: string): (value: string) => unknown };
}

/** The events of a connection besides its answers. */
type PostgresClientEvent = "notice" | "error" | "notification" | "end";

/** `message`: the text of a notice or an error. `payload`: that of a notification. */
export type NoticeListener = (notice: {
  readonly message?: string | undefined;
  readonly payload?: string | undefined;
}) => void;

/** A connection that was taken out of the pool. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<{ readonly rows: readonly unknown[] }>;
  on(event: PostgresClientEvent, listener: NoticeListener): unknown;
  removeListener(event: PostgresClientEvent, listener: NoticeListener): unknown;
  /** Gives it back to the pool; with `true` the pool closes it instead. */
  release(destroy?: boolean): void;
}

/**
 * A pool of connections to one database, such as a `Pool` of `pg`. The store takes a connection for one request at a time, and keeps
 * nothing in its session, so that a pooler in transaction mode may stand before the database. With hints, it keeps one for good.
 */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
}
