// Random commands on an outbox, of hosts and of relays, and on a model of it: the calls that are committed and not removed. After each
// command the whole outbox is read, in pages of a drawn size.

import { type OutboxCall, type OutboxEntry, type OutboxQuery, sourceId } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import fc from "fast-check";
import { expectEqual, expectPresent, expectThat } from "../../check.js";
import type { DeliveryStoreHarness, HostTransaction } from "../harness.js";
import { outboxOf, walkOutbox } from "../outbox-scene.js";
import { pageLimits, limits } from "./names.js";
import { checkRuns, type RunLength } from "./play-runs.js";
import { openTestedStorage, type TestedStorage } from "./tested-storage.js";

/** A call in the model. Its id is unknown until it was read. */
interface ModelCall extends OutboxCall {
  id?: string;
}

interface OpenTransaction {
  readonly transaction: HostTransaction;
  readonly calls: OutboxCall[];
}

/** The model, and the open transactions of hosts. */
interface ModelOutbox {
  committed: ModelCall[];
  open: OpenTransaction[];
  /** All ids that were read so far, those of removed entries among them. */
  readonly ids: string[];
}

interface TestedOutbox {
  readonly tested: TestedStorage;
  readonly begin: () => Promise<HostTransaction>;
}

type OutboxCommand = fc.AsyncCommand<ModelOutbox, TestedOutbox>;

/** The input of a command: a model, a storage, and a number that chooses one of its stores, entries or transactions. */
interface Step extends TestedOutbox {
  readonly model: ModelOutbox;
  readonly place: number;
}

interface CommandOf<Drawn> {
  readonly name: string;
  readonly drawn: fc.Arbitrary<Drawn>;
  readonly run: (step: Step, drawn: Drawn) => Promise<void>;
}

function commandsOf<Drawn>({ name, drawn, run }: CommandOf<Drawn>): fc.Arbitrary<OutboxCommand> {
  return fc.tuple(drawn, fc.nat(99), pageLimits).map(([request, place, limit]) => ({
    check: () => true,
    toString: () => name,
    run: async (model, outbox): Promise<void> => {
      outbox.tested.note(name, request);
      await run({ ...outbox, model, place }, request);
      follow(model, await walkOutbox({ store: () => outbox.tested.storeAt(place) }, { limit }));
    },
  }));
}

/** Compares all entries with the model, and notes the ids of new ones. */
function follow(model: ModelOutbox, entries: readonly OutboxEntry[]): void {
  const ids = entries.map(({ id }) => id);
  expectEqual(new Set(ids).size, ids.length, "how many ids of a walk differ");
  for (const call of model.committed) {
    if (call.id === undefined) continue;
    const entry = entries.find(({ id }) => id === call.id);
    expectEqual(entry, call, "an entry that was read before");
  }
  const newEntries = entries.filter(({ id }) => model.committed.every((call) => call.id !== id));
  const newCalls = model.committed.filter(({ id }) => id === undefined);
  expectEqual(textsOf(newEntries), textsOf(newCalls), "the calls that were not read before");
  for (const { id, source, call } of newEntries) {
    expectThat(!model.ids.includes(id), `the id ${id} is used again`);
    model.ids.push(id);
    const newCall = newCalls.find((one) => one.id === undefined && one.source === source && one.call === call);
    expectPresent(newCall, "the call of a new entry").id = id;
  }
}

function textsOf(calls: readonly OutboxCall[]): readonly string[] {
  return calls.map(({ source, call }) => JSON.stringify([source, call])).toSorted();
}

/** Few, so that many calls are the same. */
const sources = fc.constantFrom("web", "web", "Web", "web\u0000", '"web"', "\ud800").map(sourceId);
const calls: fc.Arbitrary<OutboxCall> = fc.record({
  source: sources,
  call: fc.constantFrom("a", "a", "b", "\u0000").map((messageId) => JSON.stringify({ type: "track", messageId })),
});

/** Waiting transactions of hosts; more would find nothing else. */
const MAX_OPEN = 3;

const BEGIN = commandsOf({
  name: "a host begins a transaction",
  drawn: fc.constant(undefined),
  run: async ({ model, begin }) => {
    if (model.open.length < MAX_OPEN) model.open.push({ transaction: await begin(), calls: [] });
  },
});

const ADD = commandsOf({
  name: "outbox.add",
  drawn: calls,
  run: async ({ model, tested, place, begin }, call) => {
    if (model.open.length === 0) model.open.push({ transaction: await begin(), calls: [] });
    const { transaction, calls: added } = chosen(model.open, place);
    await outboxOf({ store: () => tested.storeAt(place) }).add(call, transaction.run);
    added.push(call);
  },
});

const COMMIT = ending("a host commits a transaction", async (model, { transaction, calls: added }) => {
  await transaction.commit();
  model.committed.push(...added.map((call) => ({ ...call })));
});

const ROLL_BACK = ending("a host rolls a transaction back", (_, { transaction }) => transaction.rollback());

function ending(
  name: string,
  end: (model: ModelOutbox, open: OpenTransaction) => Promise<void>,
): fc.Arbitrary<OutboxCommand> {
  return commandsOf({
    name,
    drawn: fc.constant(undefined),
    run: async ({ model, place }) => {
      if (model.open.length === 0) return;
      const open = chosen(model.open, place);
      model.open = model.open.filter((one) => one !== open);
      await end(model, open);
    },
  });
}

/** A page behind any entry that was read before, also behind one that is gone. */
const READ = commandsOf({
  name: "outbox.read",
  drawn: fc.record({ after: fc.option(fc.nat(99)), limit: limits, except: fc.uniqueArray(sources, { maxLength: 3 }) }),
  run: async ({ model, tested, place }, { after: afterPlace, limit, except }) => {
    const scene = { store: () => tested.storeAt(place) };
    const after = afterPlace === null || model.ids.length === 0 ? undefined : chosen(model.ids, afterPlace);
    const query: OutboxQuery = { limit, except, ...defined({ after }) };
    const page = await outboxOf(scene).read(query);
    const all = await walkOutbox(scene);
    const places = after === undefined ? [0] : placesBehind(all, after);
    const pages = places.map((from) =>
      all
        .slice(from)
        .filter(({ source }) => !except.includes(source))
        .slice(0, limit),
    );
    const isAllowed = pages.some((one) => JSON.stringify(one) === JSON.stringify(page));
    if (!isAllowed) expectEqual(page, pages[0], `the page of ${JSON.stringify(query)}`);
  },
});

/** The places in the order of all entries at which a page behind this one may begin: any if it is gone. */
function placesBehind(entries: readonly OutboxEntry[], after: string): readonly number[] {
  const place = entries.findIndex(({ id }) => id === after);
  return place === -1 ? [...entries.keys(), entries.length] : [place + 1];
}

const COUNT = commandsOf({
  name: "outbox.count",
  drawn: fc.record({ source: sources, limit: limits }),
  run: async ({ model, tested, place }, query) => {
    const count = await outboxOf({ store: () => tested.storeAt(place) }).count(query);
    const ofSource = model.committed.filter(({ source }) => source === query.source);
    expectEqual(count, Math.min(query.limit, ofSource.length), "the count of a source");
  },
});

const REMOVE = commandsOf({
  name: "outbox.remove",
  drawn: fc.array(fc.nat(99), { maxLength: 4 }),
  run: async ({ model, tested, place }, places) => {
    const ids = model.ids.length === 0 ? [] : places.map((one) => chosen(model.ids, one));
    await outboxOf({ store: () => tested.storeAt(place) }).remove(ids);
    model.committed = model.committed.filter(({ id }) => id === undefined || !ids.includes(id));
  },
});

const CRASH = commandsOf({
  name: "the process dies, and another opens the storage",
  drawn: fc.constant(undefined),
  run: ({ tested }) => tested.crash(),
});

const OPEN_ANOTHER = commandsOf({
  name: "a further process opens the storage",
  drawn: fc.constant(undefined),
  run: async ({ tested }) => {
    if (tested.stores().length === 1) await tested.openAnother();
  },
});

/** One of several, for any number. */
function chosen<T>(items: readonly T[], place: number): T {
  return expectPresent(items[place % items.length], "one of several");
}

interface OutboxRuns extends RunLength {
  readonly create: () => DeliveryStoreHarness;
}

const MAX_COMMANDS = 60;

/** Rejects with the commands of a run in which an outbox differed from the model. */
export async function playOutboxRuns({ create, ...length }: OutboxRuns): Promise<void> {
  const { supports } = create();
  const commands = fc.commands(
    [
      ...[BEGIN, ADD, ADD, ADD, ADD, COMMIT, COMMIT, COMMIT, ROLL_BACK, READ, READ, READ, COUNT, REMOVE, REMOVE],
      ...(supports.restart === true ? [CRASH] : []),
      ...(supports.sharing === true ? [OPEN_ANOTHER] : []),
    ],
    { maxCommands: MAX_COMMANDS, size: "max" },
  );
  await checkRuns(
    fc.asyncProperty(commands, (drawn) => play(create(), drawn)),
    length,
  );
}

async function play(harness: DeliveryStoreHarness, commands: Iterable<OutboxCommand>): Promise<void> {
  const tested = await openTestedStorage(harness);
  const begin = () => expectPresent(harness.beginTransaction?.(), "a harness with `outbox`: its `beginTransaction`");
  const model: ModelOutbox = { committed: [], open: [], ids: [] };
  try {
    await fc.asyncModelRun(() => ({ model, real: { tested, begin } }), commands);
    tested.expectStoreErrors();
  } catch (error) {
    throw new Error(`${tested.story()}\n${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    for (const { transaction } of model.open) await transaction.rollback();
    await tested.close();
  }
}
