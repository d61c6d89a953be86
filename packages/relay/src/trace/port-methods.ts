// The methods of the ports that a relay asks, by name. Makes a port of one function that takes every question. The
// types of core do not exist at run time, so the names are listed here.

import type {
  AudienceStore,
  DeletionStore,
  DeliveryStore,
  HttpPort,
  LaneBoard,
  Outbox,
  RecordStore,
  SharedClock,
} from "@postrider/core";

const STORE = ["commit", "claim", "lanes", "end", "pullIn", "find", "list", "seen", "counts", "sweep"] as const;
const DELETIONS = ["open", "purge", "finish", "find", "list", "suppressed"] as const;
const RECORDS = ["put", "find", "list", "remove"] as const;
const BOARD = ["beat", "write", "leave"] as const;
/** The methods that a relay calls: hosts add the calls. */
const OUTBOX = ["read", "remove", "count"] as const;
const AUDIENCES = ["append", "read", "sets", "drop", "erase", "scrub"] as const;

/** A question to a port, such as `store.commit` and its arguments. */
export type AskPort = (question: string, args: readonly unknown[], port: object, method: string) => Promise<unknown>;

/** The optional parts of the ports of a relay. */
export interface PortParts {
  readonly deletions: boolean;
  readonly records?: boolean;
  /** Absent in what was recorded before a store had a clock. */
  readonly clock?: boolean;
  /** Absent in what was recorded before a store had a board. */
  readonly board?: boolean;
  /** Absent in what was recorded before a store had an outbox. */
  readonly outbox?: boolean;
  readonly audiences: boolean;
  readonly end: boolean;
}

/** The store, whose questions go to `ask`; `real` is passed on with each. It is closed by its owner. */
export function storeOf(ask: AskPort, real: Partial<DeliveryStore>, onEnd?: DeliveryStore["onEnd"]): DeliveryStore {
  const { deletions, records, clock, board, outbox } = real;
  return {
    ...(methodsOf(ask, "store", STORE, real) as Omit<
      DeliveryStore,
      "close" | "deletions" | "records" | "clock" | "board" | "outbox" | "onEnd"
    >),
    ...(deletions === undefined
      ? {}
      : { deletions: methodsOf(ask, "store.deletions", DELETIONS, deletions) as DeletionStore }),
    ...(records === undefined ? {} : { records: methodsOf(ask, "store.records", RECORDS, records) as RecordStore }),
    ...(clock === undefined ? {} : { clock: methodsOf(ask, "store.clock", ["wall"], clock) as SharedClock }),
    ...(board === undefined ? {} : { board: methodsOf(ask, "store.board", BOARD, board) as LaneBoard }),
    ...(outbox === undefined ? {} : { outbox: methodsOf(ask, "store.outbox", OUTBOX, outbox) as Outbox }),
    ...(onEnd === undefined ? {} : { onEnd }),
    close: () => Promise.resolve(),
  };
}

/** The store of audiences, whose questions go to `ask`. */
export function audienceStoreOf(ask: AskPort, real: Partial<AudienceStore>): AudienceStore {
  const methods = methodsOf(ask, "audiences", AUDIENCES, real) as Omit<AudienceStore, "close" | "records">;
  const records = methodsOf(ask, "audiences.records", RECORDS, real.records ?? {}) as RecordStore;
  return { ...methods, records, close: () => Promise.resolve() };
}

/** The HTTP port, whose requests go to `ask`. */
export function httpOf(ask: AskPort, real: object): HttpPort {
  return methodsOf(ask, "http", ["send"], real) as HttpPort;
}

/** The lists above are complete: the caller says which port they make up. */
function methodsOf(ask: AskPort, name: string, methods: readonly string[], real: object): object {
  const entries = methods.map((method) => [
    method,
    (...args: readonly unknown[]) => ask(`${name}.${method}`, args, real, method),
  ]);
  return Object.fromEntries(entries) as object;
}
