// Lets two calls happen at the same time, in many orders of their steps as far as a gate holds these back, or without a
// gate in one turn of the event loop. The calls may be of any store.

import { type GateControl, type Held, passLoopTurn } from "./gate.js";

/** The call that starts, and the steps before which the turn passes to the other call. Step 0 is the start of the first call. */
export interface Order {
  readonly first: 0 | 1;
  readonly switches: ReadonlySet<number>;
}

/** The number of orders that one case tries at most. */
const MAX_ORDERS = 80;

/**
 * All orders with up to two switches, if they are not too many; otherwise all with up to one, and drawn ones. `steps` returns
 * the number of steps of the two calls so far; called after the orders without a switch.
 */
export function* ordersOf(steps: () => number): Generator<Order, void> {
  yield* bothFirst([]);
  const [one, two] = [singles(steps()), pairs(steps())];
  const maxOrders = MAX_ORDERS / 2 - 1;
  const isSmall = one.length + two.length <= maxOrders;
  for (const switches of isSmall ? [...one, ...two] : one.slice(0, maxOrders)) yield* bothFirst(switches);
  if (isSmall) return;
  const draw = createDraw();
  for (let count = one.length; count < maxOrders; count += 1) yield* bothFirst(one.flat().filter(() => draw() < 0.5));
}

function* bothFirst(switches: readonly number[]): Generator<Order, void> {
  yield { first: 0, switches: new Set(switches) };
  yield { first: 1, switches: new Set(switches) };
}

function singles(steps: number): readonly (readonly number[])[] {
  return Array.from({ length: Math.max(0, steps - 1) }, (_, index) => [index + 1]);
}

function pairs(steps: number): readonly (readonly number[])[] {
  const ones = singles(steps).flat();
  return ones.flatMap((one) => ones.filter((other) => other > one).map((other) => [one, other]));
}

/** Numbers from 0 to 1, the same each time. */
function createDraw(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Two calls that are made at the same time. Answers both answers. */
export type Together = <One, Other>(
  one: () => Promise<One>,
  other: () => Promise<Other>,
) => Promise<readonly [One, Other]>;

/** After this many turns without a further access, a call is taken to wait for the other one. */
const QUIET_TURNS = 3;

/** After this many turns, an access that has not ended is taken to wait for a lock of the other call. */
const BLOCKED_TURNS = 2_000;

/** After this many turns in which nothing happened, two calls are taken to wait for each other. */
const DEADLOCK_TURNS = 200_000;

/** The number of times that a call is repeated if it rejects as `busy`. */
const MAX_REPEATS = 10;

/** Makes two calls in this order, and passes the number of their steps to `steps`. */
export function inOrder(gates: GateControl, order: Order, steps: (count: number) => void): Together {
  return async (one, other) => {
    const calls = [started(gates, 0, one), started(gates, 1, other)] as const;
    try {
      steps(await release(gates, order, () => calls.map(({ hasEnded }) => hasEnded())));
    } finally {
      gates.letThrough();
    }
    return Promise.all([calls[0].answer, calls[1].answer]);
  };
}

/** Makes two calls in the same turn; by `count` it is decided which of them is made first, and how much later the other. */
export function inOneTurn(count: number): Together {
  return async (one, other) => {
    const isSwapped = count % 2 === 1;
    const later = Math.floor(count / 2);
    const wait = async (isLater: boolean): Promise<void> => {
      if (isLater && later % 5 === 4) await passLoopTurn();
      for (let microtask = 0; isLater && microtask < later; microtask += 1) await Promise.resolve();
    };
    const call = <T>(work: () => Promise<T>, isLater: boolean): Promise<T> =>
      later === 0 ? patient(work)() : wait(isLater).then(patient(work));
    if (!isSwapped) return Promise.all([call(one, false), call(other, true)]);
    const second = call(other, false);
    return Promise.all([call(one, true), second]);
  };
}

interface StartedCall<T> {
  readonly answer: Promise<T>;
  readonly hasEnded: () => boolean;
}

function started<T>(gates: GateControl, call: number, work: () => Promise<T>): StartedCall<T> {
  let hasEnded = false;
  const answer = gates.wait(call).then(patient(work));
  const end = (): void => {
    hasEnded = true;
  };
  answer.then(end, end);
  return { answer, hasEnded: () => hasEnded };
}

/** Releases step by step until both calls have ended. Returns how many steps that were. */
async function release(
  gates: GateControl,
  { first, switches }: Order,
  ended: () => readonly boolean[],
): Promise<number> {
  let call: number = first;
  let step = 0;
  while (!ended().every((hasEnded) => hasEnded)) {
    if (switches.has(step)) call = 1 - call;
    const next = await nextHeld(gates, call, ended);
    if (next === undefined) return step;
    step += 1;
    ({ call } = next);
    gates.hold(call);
    next.release();
    await quiet(gates, () => ended()[next.call] === true);
  }
  return step;
}

/** The access to release next: of this call if possible. Undefined if both calls have ended in the meantime. */
async function nextHeld(gates: GateControl, call: number, ended: () => readonly boolean[]): Promise<Held | undefined> {
  for (let turn = 0; turn < DEADLOCK_TURNS; turn += 1) {
    const heldAccesses = gates.held();
    const next = heldAccesses.find((one) => one.call === call) ?? heldAccesses[0];
    if (next !== undefined || ended().every((hasEnded) => hasEnded)) return next;
    await passLoopTurn();
  }
  throw new Error("two calls at the same time wait for each other: neither is answered");
}

/** Waits until the call that continues is held back, has ended, or waits for something else. */
async function quiet(gates: GateControl, hasEnded: () => boolean): Promise<void> {
  const before = gates.held().length;
  let quietTurns = 0;
  for (let turns = 0; turns < BLOCKED_TURNS && quietTurns < QUIET_TURNS; turns += 1) {
    await passLoopTurn();
    if (hasEnded() || gates.held().length > before) return;
    quietTurns = gates.running() === 0 ? quietTurns + 1 : 0;
  }
}

/** Repeats a call that rejects as `busy`: nothing was written then. */
function patient<T>(work: () => Promise<T>): () => Promise<T> {
  return () => {
    let repeats = 0;
    const again = async (error: unknown): Promise<T> => {
      repeats += 1;
      if (repeats > MAX_REPEATS || !isBusy(error)) throw error;
      await passLoopTurn();
      return work().catch(again);
    };
    return work().catch(again);
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "busy";
}
