// The contract of the audience port, as cases. They test what the comments of `AudienceStore` say. Knows no store and no
// test runner.

import { caseFor, chooseCases, type ContractCase, type ContractOptions, supportFor } from "./contract-case.js";
import { expectClaims } from "./expect-claims.js";
import { APPENDING_CASES } from "./audience-store/appending.js";
import { DROPPING_CASES } from "./audience-store/dropping.js";
import { ERASING_CASES } from "./audience-store/erasing.js";
import { type AudienceStoreHarness, NEEDED_BY_PART } from "./audience-store/harness.js";
import { CRASHING_CASES } from "./audience-store/crashing.js";
import { FAILING_CASES } from "./audience-store/failing.js";
import { RACING_CASES } from "./audience-store/racing.js";
import { READING_CASES } from "./audience-store/reading.js";
import { RECORD_CASES } from "./audience-store/records.js";
import type { AudienceCase } from "./audience-store/scene.js";
import { SHARING_CASES } from "./audience-store/sharing.js";
import { setScene } from "./audience-store/set-scene.js";
import { SURVIVING_CASES } from "./audience-store/surviving.js";

const CASES: readonly AudienceCase[] = [
  ...RECORD_CASES,
  ...APPENDING_CASES,
  ...READING_CASES,
  ...DROPPING_CASES,
  ...ERASING_CASES,
  ...SURVIVING_CASES,
  ...SHARING_CASES,
  ...RACING_CASES,
  ...CRASHING_CASES,
  ...FAILING_CASES,
];

/** All promises of an audience store. Run them one after the other; they share the storage that `open` opens. */
export function audienceStoreContract(
  harness: AudienceStoreHarness,
  options: ContractOptions = {},
): readonly ContractCase[] {
  let runs = 0;
  const cases = CASES.map((audienceCase) =>
    caseFor(audienceCase.name, supportFor(harness.supports, audienceCase.needs), () => {
      runs += 1;
      return play(harness, audienceCase, runs);
    }),
  );
  return chooseCases(cases, options);
}

async function play(harness: AudienceStoreHarness, audienceCase: AudienceCase, run: number): Promise<void> {
  const scene = await setScene(harness, run);
  try {
    const parts = [...(audienceCase.needs ?? []), ...(scene.isGated ? (["interleaving"] as const) : [])];
    expectClaims(parts, NEEDED_BY_PART, { harness, store: scene.store() });
    await audienceCase.play(scene);
  } finally {
    await scene.close();
  }
}
