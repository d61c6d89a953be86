// `npm run soak -- twice`: 100,000 requests to a receiver that answers twice in 30 of 36 shapes, over the adapter, over the
// adapter without its memory of such origins, and over a plain pool of undici, in turn. The adapter takes no answer for another
// request's, and without its memory no more than undici does. POSTRIDER_RUNS sends more or fewer.

import { env } from "node:process";
import { expect, it } from "vitest";
import {
  createAdapter,
  createPlainPool,
  createTrustingAdapter,
  type Sender,
  startTorturer,
  type Tally,
  torture,
} from "../torture.js";

const COUNT = Number(env["POSTRIDER_RUNS"] ?? 100_000);
const AT_ONCE = 24;
const IN_TURN = 1_008;
const TELL_EVERY = 10;

it("answers that nothing asked for are taken for another request's no more often than by undici", async () => {
  const torturer = await startTorturer();
  let isKnown = false;
  const senders: Readonly<Record<string, Sender>> = {
    adapter: createAdapter(torturer.origin, () => (isKnown = true)),
    trusting: createTrustingAdapter(torturer.origin),
    undici: createPlainPool(torturer.origin),
  };
  const tallies: Record<string, Tally> = {};
  const unasked: Record<string, number> = {};
  // Until the first unasked answer has been seen, nothing is known of the origin.
  await torture(senders["adapter"]!.send, numbersFrom(0), AT_ONCE);
  expect(isKnown).toBe(true);
  for (let sent = 0, turn = 0; sent < COUNT; sent += IN_TURN, turn += 1) {
    for (const [name, { send }] of Object.entries(senders)) {
      const before = await torturer.seconds();
      add((tallies[name] ??= { sent: 0, silent: 0, taken: 0 }), await torture(send, numbersFrom(sent), AT_ONCE));
      unasked[name] = (unasked[name] ?? 0) + (await torturer.seconds()) - before;
    }
    if (turn % TELL_EVERY === 0) console.log(JSON.stringify({ sent, tallies, unasked }));
  }
  console.log(JSON.stringify({ tallies, unasked }));
  await Promise.all(Object.values(senders).map((sender) => sender.close()));
  torturer.close();
  expect(tallies["adapter"]?.taken).toBe(0);
  expect(tallies["trusting"]?.taken).toBeLessThanOrEqual(tallies["undici"]?.taken ?? 0);
});

function numbersFrom(first: number): readonly number[] {
  return Array.from({ length: IN_TURN }, (_, index) => first + index);
}

function add(to: Tally, { sent, silent, taken }: Tally): void {
  to.sent += sent;
  to.silent += silent;
  to.taken += taken;
}
