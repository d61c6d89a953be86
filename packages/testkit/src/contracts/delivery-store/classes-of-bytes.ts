// Bytes of each class that a caller may give, such as Node's Buffer: the store keeps a copy of all of them. It knows nothing
// of Node, so that a class of Node's kind stands for its Buffer.

import type { Body } from "@postrider/core";
import { expectEqual, expectPresent } from "../check.js";
import { bytes, endpointState, rescheduledOutcome, attempt } from "./samples.js";
import type { StoreCase } from "./scene.js";

const TEXT = "bytes of another class";

export const CLASS_OF_BYTES_CASES: readonly StoreCase[] = [
  {
    name: "a store keeps a copy of given bytes and shows one, whatever their class",
    async play(scene) {
      for (const [word, make] of classes()) {
        const [body, excerpt] = [make(), make()];
        const here = scene.anew();
        const id = await here.acceptOne({ body: body as Body });
        body.fill(0);
        await here.claimOne();
        const outcome = rescheduledOutcome(here.later(1));
        const settled = { attempts: [attempt(here.now())], endpoints: [endpointState("a", false, excerpt)] };
        await here.settle({ id, outcome, ...settled });
        excerpt.fill(0);
        (await here.record(id)).body?.fill(1);
        (await here.record(id)).endpoints[0]?.excerpt?.fill(1);
        const found = await here.record(id);
        const seen = [found.body, found.endpoints[0]?.excerpt].map((one) => Uint8Array.from(expectPresent(one, word)));
        expectEqual(seen, [bytes(TEXT), bytes(TEXT)], `the body and the excerpt, given as ${word}`);
      }
    },
  },
];

/** Like Node's Buffer in what copies get wrong: its `slice` is a view. */
function createViewSlicingBytes(): Uint8Array {
  const made: Uint8Array = bytes(TEXT);
  return Object.assign(made, { slice: (start?: number, end?: number) => made.subarray(start, end) });
}

function classes(): readonly (readonly [string, () => Uint8Array])[] {
  const platform = globalThis as { readonly Buffer?: { from(given: Uint8Array): Uint8Array } };
  const { Buffer } = platform;
  return [
    ["a Uint8Array", () => bytes(TEXT)],
    ["a class whose slices are views", createViewSlicingBytes],
    ...(Buffer === undefined ? [] : [["a Buffer", () => Buffer.from(bytes(TEXT))] as const]),
  ];
}
