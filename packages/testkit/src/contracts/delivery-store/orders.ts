// The orders in which the steps of two calls are tried: first those with the fewest switches from one call to the other,
// since most races need one or two; then orders that are drawn from a fixed seed. Knows no store.

/** Which call starts, and before which steps it is the other call's turn. Step 0 is the start of the first call. */
export interface Order {
  readonly first: 0 | 1;
  readonly switches: ReadonlySet<number>;
}

/** The number of orders that one case tries at most. */
export const MAX_ORDERS = 80;

/**
 * All orders with up to two switches, if they are not too many; otherwise all with up to one, and drawn ones. `steps`: of how
 * many steps the two calls were so far; asked after the orders without a switch.
 */
export function* ordersOf(steps: () => number): Generator<Order, void> {
  yield* bothFirst([]);
  const [one, two] = [singles(steps()), pairs(steps())];
  const left = MAX_ORDERS / 2 - 1;
  const isSmall = one.length + two.length <= left;
  for (const switches of isSmall ? [...one, ...two] : one.slice(0, left)) yield* bothFirst(switches);
  if (isSmall) return;
  const draw = createDraw();
  for (let count = one.length; count < left; count += 1) yield* bothFirst(one.flat().filter(() => draw() < 0.5));
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
