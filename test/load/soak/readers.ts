// `npm run soak -- readers`: a hundred slow readers of GET /api/events beside twenty million events, or as many as `--runs` says.
// Prints what is held after each twentieth.

import { expect, it } from "vitest";
import { quantile } from "../quantile.js";
import { playSlowReaders } from "../slow-readers.js";

const EVENTS = Number(process.env["READER_EVENTS"] ?? 20_000_000);
const READERS = 100;
const SAMPLES = 20;
const MIB = 1_048_576;
/** How much more may be held in the last third than in the middle third: what is on its way at a moment differs. */
const MOST_GROWTH = 1.1;

it(`a hundred slow readers hold no more towards the end of ${String(EVENTS)} events than before`, async () => {
  const { heldBytes, readers } = await playSlowReaders({ readers: READERS, events: EVENTS, samples: SAMPLES });
  console.log(`held MiB: ${heldBytes.map((bytes) => (bytes / MIB).toFixed(1)).join(" ")}`);
  const read = readers.map(({ bytes }) => bytes).sort((one, other) => one - other);
  console.log(`read by a reader: ${String(read[0])} to ${String(read.at(-1))} bytes`);
  console.log(`told of dropped events: ${String(readers.filter(({ wasToldOfDropped }) => wasToldOfDropped).length)}`);
  const third = Math.floor(SAMPLES / 3);
  const middle = quantile(heldBytes.slice(third, 2 * third), 0.5);
  const last = quantile(heldBytes.slice(-third), 0.5);
  console.log(
    `median of the middle third ${(middle / MIB).toFixed(1)} MiB, of the last ${(last / MIB).toFixed(1)} MiB`,
  );
  expect(last / middle).toBeLessThan(MOST_GROWTH);
  expect(readers.every(({ bytes, wasToldOfDropped }) => bytes > 0 && wasToldOfDropped)).toBe(true);
});
