// The contract of the audience port, as cases. They test what the comments of `AudienceStore` say. Knows no store and no
// test runner.

import { caseFor, type ContractCase, supportFor } from "./contract-case.js";
import { APPENDING } from "./audience-store/appending.js";
import { DROPPING } from "./audience-store/dropping.js";
import { ERASING } from "./audience-store/erasing.js";
import type { AudienceStoreHarness } from "./audience-store/harness.js";
import { READING } from "./audience-store/reading.js";
import { RECORDS } from "./audience-store/records.js";
import type { AudienceCase } from "./audience-store/scene.js";
import { SHARING } from "./audience-store/sharing.js";
import { setScene } from "./audience-store/set-scene.js";
import { SURVIVING } from "./audience-store/surviving.js";

const CASES: readonly AudienceCase[] = [
  ...RECORDS,
  ...APPENDING,
  ...READING,
  ...DROPPING,
  ...ERASING,
  ...SURVIVING,
  ...SHARING,
];

/** All promises of an audience store. Run them one after the other; they share the storage that `open` opens. */
export function audienceStoreContract(harness: AudienceStoreHarness): readonly ContractCase[] {
  let runs = 0;
  return CASES.map((audienceCase) =>
    caseFor(audienceCase.name, supportFor(harness.supports, audienceCase.needs), () => {
      runs += 1;
      return play(harness, audienceCase, runs);
    }),
  );
}

async function play(harness: AudienceStoreHarness, audienceCase: AudienceCase, run: number): Promise<void> {
  const scene = await setScene(harness, run);
  try {
    await audienceCase.play(scene);
  } finally {
    await scene.close();
  }
}
