// The contract of the storage port, as cases. They test what the comments of `DeliveryStore` say. Knows no store, no test
// runner and no clock but the harness's.

import { caseFor, type ContractCase, supportFor } from "./contract-case.js";
import { ACCEPTING } from "./delivery-store/accepting.js";
import { CARRYING } from "./delivery-store/carrying.js";
import { CLAIMING } from "./delivery-store/claiming.js";
import { COMMITTING } from "./delivery-store/committing.js";
import { COUNTING } from "./delivery-store/counting.js";
import { DEDUPING } from "./delivery-store/deduping.js";
import { DELETING } from "./delivery-store/deleting.js";
import { ENDING } from "./delivery-store/ending.js";
import { FILLING } from "./delivery-store/filling.js";
import type { DeliveryStoreHarness } from "./delivery-store/harness.js";
import { HANDING_OFF } from "./delivery-store/handing-off.js";
import { LARGE_COMMITS } from "./delivery-store/large-commits.js";
import { LEASING } from "./delivery-store/leasing.js";
import { LISTING } from "./delivery-store/listing.js";
import { PULLING_IN } from "./delivery-store/pulling-in.js";
import { PURGING } from "./delivery-store/purging.js";
import { RECORDING } from "./delivery-store/recording.js";
import { REPLAYING } from "./delivery-store/replaying.js";
import { RESTARTING } from "./delivery-store/restarting.js";
import { SEEING } from "./delivery-store/seeing.js";
import type { StoreCase } from "./delivery-store/scene.js";
import { setScene } from "./delivery-store/set-scene.js";
import { SETTLING } from "./delivery-store/settling.js";
import { SHARING } from "./delivery-store/sharing.js";
import { SHARING_CLAIMS } from "./delivery-store/sharing-claims.js";
import { SUPPRESSING } from "./delivery-store/suppressing.js";
import { SWEEPING } from "./delivery-store/sweeping.js";
import { VISITING } from "./delivery-store/visiting.js";

const CASES: readonly StoreCase[] = [
  ...ACCEPTING,
  ...COMMITTING,
  ...HANDING_OFF,
  ...CARRYING,
  ...DEDUPING,
  ...SEEING,
  ...CLAIMING,
  ...SHARING_CLAIMS,
  ...LEASING,
  ...SETTLING,
  ...RECORDING,
  ...REPLAYING,
  ...SUPPRESSING,
  ...PURGING,
  ...DELETING,
  ...ENDING,
  ...PULLING_IN,
  ...LISTING,
  ...VISITING,
  ...COUNTING,
  ...SWEEPING,
  ...RESTARTING,
  ...SHARING,
  ...LARGE_COMMITS,
  ...FILLING,
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
