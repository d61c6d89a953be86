// Makes two calls at the same time: in many orders of their steps if a gate holds these back, otherwise in one turn of the
// event loop. The calls may be of any store.

import { type GateControl, type HeldStep, passLoopTurn } from "./gate.js";

/** The call that starts, and the steps before which the turn passes to the other call. Step 0 is the start of the first call. */
export interface Order {
  readonly first: 0 | 1;
  readonly switches: ReadonlySet<number>;
}

/** The number of orders that one case tries at most. */
const MAX_ORDERS = 80;

/**
 * All orders with up to two switches, if they are not too many; otherwise all with up to one, and drawn ones. `steps` returns
 * the most steps that the two calls have had so far; called after the orders without a switch.
 */
export function* ordersOf(steps: () => number): Generator<Order, void> {
  yield* bothFirst([]);
  const [single, double] = [singleSwitches(steps()), doubleSwitches(steps())];
  const maxOrders = MAX_ORDERS / 2 - 1;
  const isSmall = single.length + double.length <= maxOrders;
  for (const switches of isSmall ? [...single, ...double] : single.slice(0, maxOrders)) yield* bothFirst(switches);
  if (isSmall) return;
  const draw = createDraw();
  for (let count = single.length; count < maxOrders; count += 1)
    yield* bothFirst(single.flat().filter(() => draw() < 0.5));
}

function* bothFirst(switches: readonly number[]): Generator<Order, void> {
  yield { first: 0, switches: new Set(switches) };
  yield { first: 1, switches: new Set(switches) };
}

function singleSwitches(steps: number): readonly (readonly number[])[] {
  return Array.from({ length: Math.max(0, steps - 1) }, (_, index) => [index + 1]);
}

function doubleSwitches(steps: number): readonly (readonly number[])[] {
  const places = singleSwitches(steps).flat();
  return places.flatMap((first) => places.filter((second) => second > first).map((second) => [first, second]));
}

/** Numbers from 0 to 1, the same each time. */
function createDraw(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Makes two calls at the same time. Resolves with both answers. */
export type Together = <First, Second>(
  first: () => Promise<First>,
  second: () => Promise<Second>,
) => Promise<readonly [First, Second]>;

/** After this many turns without a further access, a call is taken to wait for the other one. */
const QUIET_TURNS = 3;

/** After this many turns, an access that has not ended, and cannot say so, is taken to wait for a lock of the other call. */
const BLOCKED_TURNS = 2_000;

/** After this many turns in which nothing happened, two calls are taken to wait for each other. */
const DEADLOCK_TURNS = 200_000;

/** The number of times that a call is repeated if it rejects as `busy`. */
const MAX_REPEATS = 10;

/** Makes two calls in this order, and passes the number of their steps to `steps`. */
export function inOrder(gates: GateControl, order: Order, steps: (count: number) => void): Together {
  return async (first, second) => {
    const calls = [startCall(gates, 0, first), startCall(gates, 1, second)] as const;
    try {
      steps(await release(gates, order, () => calls.map(({ hasEnded }) => hasEnded())));
    } finally {
      gates.letThrough();
    }
    return Promise.all([calls[0].answer, calls[1].answer]);
  };
}

/** Makes two calls in the same turn; `count` decides which of them is made first, and how much later the other. */
export function inOneTurn(count: number): Together {
  return async (first, second) => {
    const isSwapped = count % 2 === 1;
    const delay = Math.floor(count / 2);
    const wait = async (isLater: boolean): Promise<void> => {
      if (isLater && delay % 5 === 4) await passLoopTurn();
      for (let microtask = 0; isLater && microtask < delay; microtask += 1) await Promise.resolve();
    };
    const call = <T>(work: () => Promise<T>, isLater: boolean): Promise<T> =>
      delay === 0 ? patient(work)() : wait(isLater).then(patient(work));
    if (!isSwapped) return Promise.all([call(first, false), call(second, true)]);
    const secondAnswer = call(second, false);
    return Promise.all([call(first, true), secondAnswer]);
  };
}

interface StartedCall<T> {
  readonly answer: Promise<T>;
  readonly hasEnded: () => boolean;
}

function startCall<T>(gates: GateControl, call: number, work: () => Promise<T>): StartedCall<T> {
  let hasEnded = false;
  const answer = gates.wait(call).then(patient(work));
  const end = (): void => {
    hasEnded = true;
  };
  answer.then(end, end);
  return { answer, hasEnded: () => hasEnded };
}

/** Releases step by step until both calls have ended. Returns the number of steps. */
async function release(
  gates: GateControl,
  { first, switches }: Order,
  hasEndedByCall: () => readonly boolean[],
): Promise<number> {
  let call: number = first;
  let step = 0;
  while (!hasEndedByCall().every((hasEnded) => hasEnded)) {
    if (switches.has(step)) call = 1 - call;
    const nextStep = await nextHeldStep(gates, call, hasEndedByCall);
    if (nextStep === undefined) return step;
    step += 1;
    call = nextStep.call;
    gates.hold(call);
    nextStep.release();
    await waitUntilQuiet(gates, () => hasEndedByCall()[nextStep.call] === true);
  }
  return step;
}

/** The step to release next: of this call if possible. Undefined if both calls have ended in the meantime. */
async function nextHeldStep(
  gates: GateControl,
  call: number,
  hasEndedByCall: () => readonly boolean[],
): Promise<HeldStep | undefined> {
  for (let turn = 0; turn < DEADLOCK_TURNS; turn += 1) {
    const heldSteps = gates.heldSteps();
    const step = heldSteps.find((heldStep) => heldStep.call === call) ?? heldSteps[0];
    if (step !== undefined || hasEndedByCall().every((hasEnded) => hasEnded)) return step;
    await passLoopTurn();
  }
  throw new Error("two calls at the same time wait for each other: neither is answered");
}

/** Waits until the call that continues is held back, has ended, or waits for something else. */
async function waitUntilQuiet(gates: GateControl, hasEnded: () => boolean): Promise<void> {
  const countBefore = gates.heldSteps().length;
  let quietTurns = 0;
  let unknownTurns = 0;
  while (unknownTurns < BLOCKED_TURNS && quietTurns < QUIET_TURNS) {
    await passLoopTurn();
    if (hasEnded() || gates.heldSteps().length > countBefore) return;
    const areBlocked = await gates.areBlocked();
    if (areBlocked === true) return;
    if (areBlocked === undefined) unknownTurns += 1;
    quietTurns = gates.runningCount() === 0 ? quietTurns + 1 : 0;
  }
}

/** Repeats a call that rejects as `busy`: nothing was written then. */
function patient<T>(work: () => Promise<T>): () => Promise<T> {
  return () => {
    let repeats = 0;
    const repeat = async (error: unknown): Promise<T> => {
      repeats += 1;
      if (repeats > MAX_REPEATS || !isBusy(error)) throw error;
      await passLoopTurn();
      return work().catch(repeat);
    };
    return work().catch(repeat);
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "busy";
}
