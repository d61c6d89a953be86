// Accepts the calls that hosts have made in their own transactions, in the process that is on duty (decision: outbox). A call leaves
// the outbox once it is accepted: if this process ends between the two, the next one finds it again, and its messageId is a duplicate.

import {
  type Clock,
  type OutboxEntry,
  type Receipt,
  type SourceId,
  type Workspace,
  effectsOf,
  type NewDeletion,
} from "@postrider/core";
import { pauseFor, isPlainObject, usersOf, defined } from "@postrider/core/engine";
import { err, type Result, type ResultAsync, ok } from "neverthrow";
import { readReceivedCall } from "./settings/index.js";
import type { RelayFault, StoreFault } from "./fault.js";
import {
  FAULT_PAUSE_MS,
  SLICE_PAUSE_MS,
  OUTBOX_PAGE,
  MAX_COUNTED_OUTBOX,
  MAX_UNKNOWN_SOURCES,
  UNKNOWN_SOURCES_PER_WALK,
  MAX_OUTBOX_PAGES,
} from "./limits.js";
import { createLoop, type Loop } from "./loop.js";
import type { EmitEvent } from "./relay-event.js";
import type { Arrival } from "./relay.js";
import type { Duty } from "./fleet/lane-sync.js";
import type { SettingsInForce } from "./settings-in-force.js";
import { latestRequestNumber } from "./audiences/requests.js";
import { type AskOutbox, type Storage, whileBusy } from "./commits/storage.js";

const NO_FURTHER_TURN: Promise<undefined> = Promise.resolve(undefined);

interface OutboxContext {
  readonly clock: Clock;
  readonly storage: Pick<Storage, "askOutbox" | "askDeletions">;
  readonly settings: Pick<SettingsInForce, "workspace">;
  readonly duty: Pick<Duty, "isMine">;
  readonly emit: EmitEvent;
  readonly pollMs: number;
}

/** Accepts an arrival, as for a host, unless a request about users was opened after the one with the number `asOf`. */
type AcceptArrival = (arrival: Arrival, asOf: number) => ResultAsync<readonly Receipt[], RelayFault>;

/** The loop that empties the outbox page by page; it does nothing if the store has no outbox. */
export function createOutboxLoop(
  { clock, storage, settings, duty, emit, pollMs }: OutboxContext,
  accept: AcceptArrival,
): Loop {
  const loop = createLoop(clock, () =>
    storage.askOutbox === undefined ? NO_FURTHER_TURN : takeTurn(storage.askOutbox),
  );
  const unknown = createUnknownSources(emit);
  let indexedSettings: Workspace | undefined;
  let knownSources: ReadonlySet<SourceId> = new Set();
  /** The last entry of the previous page, in a walk of several pages. */
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
    if (inForce !== indexedSettings) knownSources = new Set(inForce.sources.map(({ id }) => id));
    indexedSettings = inForce;
    return knownSources.has(source);
  }

  async function readPage(ask: AskOutbox): Promise<Result<readonly OutboxEntry[], StoreFault>> {
    if (asOf === undefined) {
      const latest = await latestRequestNumber(storage);
      if (latest.isErr()) return err(latest.error);
      asOf = latest.value;
    }
    return readOutboxPage(ask, after, unknown.except(isKnown));
  }

  /** Accepts the entries of a page and removes them, but for those whose source is not in the settings. Returns true if done. */
  async function empty(ask: AskOutbox, page: readonly OutboxEntry[]): Promise<boolean> {
    const sources = [...new Set(page.map(({ source }) => source))];
    const outcomes = await Promise.all(sources.map((source) => acceptEntries(source, page)));
    const ids = outcomes.flatMap(({ removableIds }) => removableIds);
    if (ids.length > 0 && (await ask((outbox) => outbox.remove(ids))).isErr()) return false;
    return outcomes.every(({ isDone }) => isDone);
  }

  /** Accepts the entries of a page that are of this source. */
  async function acceptEntries(source: SourceId, page: readonly OutboxEntry[]): Promise<EntriesOutcome> {
    const entries = page.filter((entry) => entry.source === source);
    if (!isKnown(source)) {
      unknown.note(source);
      return { removableIds: [], isDone: true };
    }
    const receipts = await accept({ source, calls: entries.map(callOfEntry), isBrief: true }, asOf ?? 0);
    if (receipts.isErr()) return { removableIds: [], isDone: false };
    const removableIds = entries.filter((_, index) => receipts.value[index]?.kind !== "shed").map(({ id }) => id);
    return { removableIds, isDone: removableIds.length === entries.length };
  }

  return loop;
}

async function countCalls(ask: AskOutbox, source: SourceId, limit: number): Promise<number | undefined> {
  const count = await ask((outbox) => outbox.count({ source, limit }));
  return count.isErr() ? undefined : count.value;
}

/** The outcome for the entries of one source. */
interface EntriesOutcome {
  /** Those that need no further try: they are accepted or refused. */
  readonly removableIds: readonly string[];
  readonly isDone: boolean;
}

/** The call as `accept` takes it. A text that is no JSON was written by hand; it is refused as a call. */
function callOfEntry({ call }: Pick<OutboxEntry, "call">): unknown {
  try {
    return JSON.parse(call);
  } catch {
    return call;
  }
}

/** The users of the call; none if it would be refused. */
function usersOfEntry(entry: Pick<OutboxEntry, "call">): readonly string[] {
  const call = callOfEntry(entry);
  if (!isPlainObject(call)) return [];
  const received = readReceivedCall(call);
  return received.kind === "refused" ? [] : usersOf(received.call);
}

/** The page that follows the entry `after`; without it the first. Sources in `except` are left out. */
function readOutboxPage(
  ask: AskOutbox,
  after: string | undefined,
  except: readonly SourceId[] = [],
): ResultAsync<readonly OutboxEntry[], StoreFault> {
  return ask((outbox) => outbox.read({ limit: OUTBOX_PAGE, except, ...defined({ after }) }));
}

/** The id after which the next page begins; undefined if this page is the last. */
function nextPageAfter(page: readonly OutboxEntry[]): string | undefined {
  return page.length < OUTBOX_PAGE ? undefined : page.at(-1)?.id;
}

/**
 * The sources in the outbox that are not in the settings: they are left out of what is read, so that their calls hold up
 * no others, however many they are, and each is told of once (decision: sources without settings).
 */
interface UnknownSources {
  /** Takes a source of which there are calls. Beyond a number of them no further one is taken. */
  note(source: SourceId): void;
  /** The sources to leave out, without those that have come into the settings. */
  except(isKnown: (source: SourceId) => boolean): readonly SourceId[];
  /**
   * To be called at the end of a walk through the outbox: tells of those that are new, and forgets those of which no call is left. `count`
   * answers how many calls of a source there are, up to a limit; undefined if the store did not say.
   */
  look(count: CountCalls): Promise<void>;
}

type CountCalls = (source: SourceId, limit: number) => Promise<number | undefined>;

function createUnknownSources(emit: EmitEvent): UnknownSources {
  /** True for each source that was reported; first those that were looked at longest ago. */
  const unknownSources = new Map<SourceId, boolean>();

  async function lookAt(source: SourceId, wasTold: boolean, count: CountCalls): Promise<void> {
    const calls = await count(source, wasTold ? 1 : MAX_COUNTED_OUTBOX);
    // It may have been forgotten meanwhile, since it is in the settings.
    if (calls === undefined || !unknownSources.delete(source) || calls === 0) return;
    unknownSources.set(source, true);
    if (!wasTold) emit({ kind: "outbox-waits", source, calls });
  }

  return {
    note: (source): void => {
      if (!unknownSources.has(source) && unknownSources.size < MAX_UNKNOWN_SOURCES) unknownSources.set(source, false);
    },
    except: (isKnown) => {
      for (const source of unknownSources.keys()) if (isKnown(source)) unknownSources.delete(source);
      return [...unknownSources.keys()];
    },
    look: async (count): Promise<void> => {
      for (const [source, wasTold] of [...unknownSources].slice(0, UNKNOWN_SOURCES_PER_WALK))
        await lookAt(source, wasTold, count);
    },
  };
}

type ErasingRequest = Pick<NewDeletion, "regulation" | "userIds" | "sources">;

/**
 * Removes the calls of users, before a request about them is opened: what was committed before it is gone, and what the
 * process on duty has read already is refused by the store, since a request was opened after it.
 * `busy`: the end of the outbox was not reached, and the request can be made again. Calls that were removed before a fault stay so: they
 * are those that the request is to remove.
 */
export async function eraseFromOutbox(
  clock: Clock,
  ask: AskOutbox,
  { regulation, userIds, sources }: ErasingRequest,
): Promise<Result<void, StoreFault>> {
  if (!effectsOf(regulation).purges) return ok(undefined);
  const users = new Set(userIds);
  const isCovered = (entry: OutboxEntry): boolean =>
    (sources === null || sources.includes(entry.source)) && usersOfEntry(entry).some((user) => users.has(user));

  let after: string | undefined;
  for (let pages = 0; pages < MAX_OUTBOX_PAGES; pages += 1) {
    const page = await whileBusy(clock, () => readOutboxPage(ask, after));
    if (page.isErr()) return err(page.error);
    const ids = page.value.filter(isCovered).map(({ id }) => id);
    const removed =
      ids.length === 0 ? ok(undefined) : await whileBusy(clock, () => ask((outbox) => outbox.remove(ids)));
    if (removed.isErr()) return err(removed.error);
    after = nextPageAfter(page.value);
    if (after === undefined) return ok(undefined);
    await pauseFor(clock, SLICE_PAUSE_MS);
  }
  return err({ code: "busy" });
}
