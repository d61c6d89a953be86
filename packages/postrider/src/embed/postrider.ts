// The public interface of an embedded Postrider, and the options that make one.

import type { ConfigFile } from "@postrider/relay/settings";
import type { AudienceStore, Clock, DeliveryStore, HttpPort, Random, RunStatement } from "@postrider/core";
import type { NodeListener, WebHandler } from "@postrider/http";
import type { Health, Logger, Relay, RelayEvent } from "@postrider/relay";
import type { TracingApi } from "@postrider/relay/metrics";
import type { OutboxCalls } from "../assembly/outbox-calls.js";
import type { SourceCalls } from "../assembly/source-calls.js";

/**
 * The keys of a config file without `listen` and `store`. As in a file, `env:NAME` and `file:PATH` stand for a variable and for
 * the text of a file.
 */
export interface PostriderSettings<SourceName extends string = string> extends Omit<
  ConfigFile,
  "listen" | "store" | "sources"
> {
  /** The sources of calls, each with a write key. None if absent: then no call is accepted. */
  readonly sources?: readonly (NonNullable<ConfigFile["sources"]>[number] & { readonly id: SourceName })[];
}

/** The options of `createPostrider`: the keys of a config file, and ports that the host brings. */
export interface PostriderOptions<SourceName extends string = string> extends PostriderSettings<SourceName> {
  /**
   * `sqlite:PATH`, relative to the working directory, the URL of a PostgreSQL database, `memory:`, stores to open, such as
   * `postgresStores(pool)`, or an opened store of the host, which is not closed; `sqlite:./postrider.db` if absent.
   */
  readonly store?: string | DeliveryStore | StoresToOpen;
  /** The audience store beside a store of the host; without it, there are no audiences. */
  readonly audiences?: AudienceStore;
  /** Sends the requests, and is not closed. If absent, undici does, and refuses addresses that `network` does not allow. */
  readonly http?: HttpPort;
  /** The system clock if absent. */
  readonly clock?: Clock;
  /** The randomness of ids, tokens and jitter; that of the platform if absent. */
  readonly random?: Random;
  /** Receives log entries. If absent, warnings and errors are written to stderr: on a terminal as text, otherwise as JSON. */
  readonly logger?: Logger;
  /** Called with each relay event from the start on, like a listener of `observe`. */
  readonly observe?: (event: RelayEvent) => void;
  /**
   * `@opentelemetry/api`, as `import * as opentelemetry` gives it: then spans of calls, rounds and attempts are made by its global
   * provider. None if absent.
   */
  readonly opentelemetry?: TracingApi;
  /** Records what happens, for `postrider replay-trace`, and writes it to a file: see `saveTrace`. Off if absent. */
  readonly record?: RecordToFile;
  /** The path under which `nodeListener` and `fetch` are mounted, such as `/segment`; empty if absent. */
  readonly basePath?: string;
  /** The longest wait of `close` for rounds under way, in milliseconds; 10,000 if absent. */
  readonly closeMs?: number;
}

/** Stores that `createPostrider` opens and closes, over something that stays the host's, such as a pool. */
export interface StoresToOpen {
  /** Rejects with the reason if they cannot be opened. */
  open(ports: { readonly clock: Clock }): Promise<{
    readonly store: DeliveryStore;
    readonly audiences?: AudienceStore;
    close(): Promise<void>;
  }>;
}

/** The place of a recording on disk, and the memory that it may use. */
export interface RecordToFile {
  /** The file, or a folder that gets a further file each time. */
  readonly path: string;
  /** About how much memory the recording may use, in megabytes; 64 if absent. The oldest part is dropped. */
  readonly megabytes?: number;
}

/** The result of `createPostrider`: typed calls, mounts for a server, and the relay behind them. */
export interface Postrider<SourceName extends string = string> extends SourceCalls<SourceName> {
  /**
   * Makes calls in a transaction of the host, on the database of the store: a commit delivers them, a rollback does not. `run` runs one
   * statement of the transaction. Throws an `OptionsError` if the store has no outbox: only PostgreSQL has one.
   */
  with(run: RunStatement): OutboxCalls<SourceName>;
  /** Serves Segment's libraries, the API and `/healthz` behind node:http, Express and their like. */
  readonly nodeListener: NodeListener;
  /** The same for runtimes and frameworks with Web-standard requests: Hono, Next, Bun. */
  readonly fetch: WebHandler;
  /** Everything else that can be asked of a relay: deliveries, replay, deletion, audiences, counters. */
  readonly relay: Relay;
  /** Reports whether calls are accepted now, and if not, the reason. Asks nothing of the disk or the network. */
  health(): Health;
  /**
   * Puts new settings in force; `store` and the ports stay. Throws an `OptionsError` if they are wrong; then nothing has
   * changed. Settings that a later `configure` supersedes do not come into force.
   */
  configure(settings: PostriderSettings): Promise<void>;
  /** Calls `listener` synchronously with each relay event. What it throws has no effect. Returns a function that ends this. */
  observe(listener: (event: RelayEvent) => void): () => void;
  /**
   * With `record`, writes the trace up to now, as also happens at the first sign that the store is corrupt, and at `close`. Never rejects:
   * errors are logged as `trace-not-saved`. Without `record`, does nothing.
   */
  saveTrace(): Promise<void>;
  /**
   * Accepts no further call, waits at most `closeMs` for rounds under way, gives back what waits, and closes what
   * `createPostrider` has opened. Further calls return the same promise. Never rejects.
   */
  close(): Promise<void>;
  /** Closes at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}
