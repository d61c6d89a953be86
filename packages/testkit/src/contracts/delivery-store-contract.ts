// The contract of the storage port, as cases. They test what the comments of `DeliveryStore` say. Knows no store, no test
// runner and no clock but the harness's.

import { caseFor, type ContractCase, supportFor } from "./contract-case.js";
import { ACCEPTING_CASES } from "./delivery-store/accepting.js";
import { CARRYING_CASES } from "./delivery-store/carrying.js";
import { CLAIMING_CASES } from "./delivery-store/claiming.js";
import { COMMITTING_CASES } from "./delivery-store/committing.js";
import { COUNTING_CASES } from "./delivery-store/counting.js";
import { DEDUPING_CASES } from "./delivery-store/deduping.js";
import { DELETING_CASES } from "./delivery-store/deleting.js";
import { ENDING_CASES } from "./delivery-store/ending.js";
import { FILLING_CASES } from "./delivery-store/filling.js";
import type { DeliveryStoreHarness } from "./delivery-store/harness.js";
import { HANDING_OFF_CASES } from "./delivery-store/handing-off.js";
import { LARGE_COMMIT_CASES } from "./delivery-store/large-commits.js";
import { LEASING_CASES } from "./delivery-store/leasing.js";
import { LISTING_CASES } from "./delivery-store/listing.js";
import { PULLING_IN_CASES } from "./delivery-store/pulling-in.js";
import { PURGING_CASES } from "./delivery-store/purging.js";
import { RECORDING_CASES } from "./delivery-store/recording.js";
import { REPLAYING_CASES } from "./delivery-store/replaying.js";
import { RESTARTING_CASES } from "./delivery-store/restarting.js";
import { SEEING_CASES } from "./delivery-store/seeing.js";
import type { StoreCase } from "./delivery-store/scene.js";
import { setScene } from "./delivery-store/set-scene.js";
import { SETTLING_CASES } from "./delivery-store/settling.js";
import { SHARING_CASES } from "./delivery-store/sharing.js";
import { CLAIM_SHARE_CASES } from "./delivery-store/sharing-claims.js";
import { SUPPRESSING_CASES } from "./delivery-store/suppressing.js";
import { SWEEPING_CASES } from "./delivery-store/sweeping.js";
import { LANE_PAGE_CASES } from "./delivery-store/visiting.js";

const CASES: readonly StoreCase[] = [
  ...ACCEPTING_CASES,
  ...COMMITTING_CASES,
  ...HANDING_OFF_CASES,
  ...CARRYING_CASES,
  ...DEDUPING_CASES,
  ...SEEING_CASES,
  ...CLAIMING_CASES,
  ...CLAIM_SHARE_CASES,
  ...LEASING_CASES,
  ...SETTLING_CASES,
  ...RECORDING_CASES,
  ...REPLAYING_CASES,
  ...SUPPRESSING_CASES,
  ...PURGING_CASES,
  ...DELETING_CASES,
  ...ENDING_CASES,
  ...PULLING_IN_CASES,
  ...LISTING_CASES,
  ...LANE_PAGE_CASES,
  ...COUNTING_CASES,
  ...SWEEPING_CASES,
  ...RESTARTING_CASES,
  ...SHARING_CASES,
  ...LARGE_COMMIT_CASES,
  ...FILLING_CASES,
];

/** All promises of a delivery store. Run them one after the other; they share the storage that `open` opens. */
export function deliveryStoreContract(harness: DeliveryStoreHarness): readonly ContractCase[] {
  let runs = 0;
  return CASES.map((storeCase) => {
    return caseFor(storeCase.name, supportFor(harness.supports, storeCase.needs), () => {
      runs += 1;
      return play(harness, storeCase, runs);
    });
  });
}

async function play(harness: DeliveryStoreHarness, storeCase: StoreCase, run: number): Promise<void> {
  const scene = await setScene(harness, run);
  try {
    await storeCase.play(scene);
  } finally {
    await scene.close();
  }
}
