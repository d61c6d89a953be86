// `npm run soak -- addresses`: a million addresses, a quarter of them at the edges of ranges, a quarter that contain one
// of IPv4, judged by the adapter and by the reference table. HOSTILE_SEED draws others.

import { env } from "node:process";
import { createSeededRandom } from "@postrider/memory";
import { expect, it } from "vitest";
import { createIsAllowedAddress } from "../../../packages/undici/src/addresses.js";
import { drawAddresses } from "../draw-addresses.js";
import { isOpen, textOf } from "../reference-table.js";

const COUNT = 1_000_000;
const MAX_SHOWN = 20;

it("a million addresses are judged as in the reference table", () => {
  const seed = Number(env["HOSTILE_SEED"] ?? 1);
  const vet = createIsAllowedAddress();
  const counts = { allowed: 0, refused: 0, differ: 0 };
  const differing: string[] = [];
  for (const address of drawAddresses(COUNT, createSeededRandom(seed))) {
    const text = textOf(address);
    const isAllowed = vet(text);
    counts[isAllowed ? "allowed" : "refused"] += 1;
    if (isAllowed === isOpen(address)) continue;
    counts.differ += 1;
    if (differing.length < MAX_SHOWN) differing.push(text);
  }
  console.log({ seed, ...counts });
  expect(differing).toEqual([]);
});
