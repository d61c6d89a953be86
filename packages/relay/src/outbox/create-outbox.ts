// Accepts the calls that hosts have made in their own transactions, in the process that is on duty (decision: outbox). A call leaves
// the outbox once it is accepted: if this process ends between the two, the next one finds it again, and its messageId is a duplicate.

import type { Clock, OutboxEntry, Receipt, SourceId, Workspace } from "@postrider/core";
import { pauseFor } from "@postrider/core/engine";
import { err, type Result, type ResultAsync } from "neverthrow";
import type { RelayFault, StoreFault } from "../fault.js";
import { FAULT_PAUSE_MS, SLICE_PAUSE_MS } from "../limits.js";
import { createLoop, type Loop } from "../loop.js";
import type { EmitEvent } from "../relay-event.js";
import type { Arrival } from "../relay.js";
import type { Duty } from "../state/duty.js";
import type { SettingsInForce } from "../settings-in-force.js";
import { lastRequest } from "../audience/requests.js";
import type { AskOutbox, Storage } from "../commits/storage.js";
import { callOfEntry } from "./read-entry.js";
import { nextPageAfter, readOutboxPage } from "./read-page.js";
import { createUnknownSources } from "./unknown-sources.js";

export interface OutboxContext {
  readonly clock: Clock;
  readonly storage: Pick<Storage, "askOutbox" | "askDeletions">;
  readonly settings: Pick<SettingsInForce, "workspace">;
  readonly duty: Pick<Duty, "isMine">;
  readonly emit: EmitEvent;
  readonly pollMs: number;
}

/** Accepts an arrival, as for a host, unless a request about users was opened after the one with the number `asOf`. */
export type AcceptArrival = (arrival: Arrival, asOf: number) => ResultAsync<readonly Receipt[], RelayFault>;

/** The loop that empties the outbox page by page; it does nothing if the store has no outbox. */
export function createOutboxLoop(
  { clock, storage, settings, duty, emit, pollMs }: OutboxContext,
  accept: AcceptArrival,
): Loop {
  const loop = createLoop(clock, () => (storage.askOutbox === undefined ? NEVER : takeTurn(storage.askOutbox)));
  const unknown = createUnknownSources(emit);
  let indexed: Workspace | undefined;
  let known: ReadonlySet<SourceId> = new Set();
  /** The last entry of the page before, in a walk of several pages. */
  let after: string | undefined;
  /** The number of a request about users that was opened before the entries were read; undefined if it is to be asked for. */
  let asOf: number | undefined;

  async function takeTurn(ask: AskOutbox): Promise<number | undefined> {
    if (!duty.isMine()) return pollMs;
    const page = await readPage(ask);
    if (page.isErr() || !(await empty(ask, page.value))) {
      asOf = undefined;
      return FAULT_PAUSE_MS;
    }
    after = nextPageAfter(page.value);
    if (after === undefined) {
      await unknown.look((source, limit) => countCalls(ask, source, limit));
      return pollMs;
    }
    await pauseFor(clock, SLICE_PAUSE_MS);
    loop.wake();
    return undefined;
  }

  function isKnown(source: SourceId): boolean {
    const inForce = settings.workspace();
    if (inForce !== indexed) known = new Set(inForce.sources.map(({ id }) => id));
    indexed = inForce;
    return known.has(source);
  }

  async function readPage(ask: AskOutbox): Promise<Result<readonly OutboxEntry[], StoreFault>> {
    if (asOf === undefined) {
      const last = await lastRequest(storage);
      if (last.isErr()) return err(last.error);
      asOf = last.value;
    }
    return readOutboxPage(ask, after, unknown.except(isKnown));
  }

  /** Accepts the entries of a page and removes them, but for those whose source is not in the settings. Whether that is done. */
  async function empty(ask: AskOutbox, page: readonly OutboxEntry[]): Promise<boolean> {
    const sources = [...new Set(page.map(({ source }) => source))];
    const settled = await Promise.all(sources.map((source) => settle(source, page)));
    const ids = settled.flatMap(({ accepted }) => accepted);
    if (ids.length > 0 && (await ask((outbox) => outbox.remove(ids))).isErr()) return false;
    return settled.every(({ isDone }) => isDone);
  }

  /** Accepts the entries of a page that are of this source. */
  async function settle(source: SourceId, page: readonly OutboxEntry[]): Promise<Settled> {
    const entries = page.filter((entry) => entry.source === source);
    if (!isKnown(source)) {
      unknown.note(source);
      return { accepted: [], isDone: true };
    }
    const receipts = await accept({ source, calls: entries.map(callOfEntry), isBrief: true }, asOf ?? 0);
    if (receipts.isErr()) return { accepted: [], isDone: false };
    const accepted = entries.filter((_, index) => receipts.value[index]?.kind !== "shed").map(({ id }) => id);
    return { accepted, isDone: accepted.length === entries.length };
  }

  return loop;
}

async function countCalls(ask: AskOutbox, source: SourceId, limit: number): Promise<number | undefined> {
  const counted = await ask((outbox) => outbox.count({ source, limit }));
  return counted.isErr() ? undefined : counted.value;
}

const NEVER: Promise<undefined> = Promise.resolve(undefined);

/** What became of the entries of one source. */
interface Settled {
  /** Those that need no further try, also since they are refused. */
  readonly accepted: readonly string[];
  readonly isDone: boolean;
}
