// The contract of the storage port, as cases. The cases test what the comments of `DeliveryStore` say. Knows no
// store, no test runner and no clock but the harness's.

import {
  caseFor,
  chooseCases,
  type ContractCase,
  type ContractOptions,
  supportFor,
  expectNeededMembers,
} from "./contract-case.js";
import { ADDING_CALLS_CASES } from "./delivery-store/outbox.js";
import { SHARING_OUTBOX_CASES, WAITING_FOR_NONE_CASES } from "./delivery-store/outbox-sharing.js";
import { OUTLIVING_CALLS_CASES } from "./delivery-store/outbox-outlives.js";
import { ACCEPTING_CASES, LINKING_CASES } from "./delivery-store/accept.js";
import { BEATING_CASES, LIVING_PROCESS_CASES } from "./delivery-store/board-processes.js";
import { BYTE_CLASS_CASES, CARRYING_CASES, COPYING_BYTES_CASES } from "./delivery-store/bytes.js";
import { PROMISING_CASES, COMMITTING_CASES, HANDING_OFF_CASES } from "./delivery-store/commit.js";
import { CALLER_CLOCK_CASES } from "./delivery-store/caller-clocks.js";
import { CHANGING_LANES_CASES } from "./delivery-store/lane-changes.js";
import { CLAIMING_CASES, CLAIM_SHARE_CASES } from "./delivery-store/claim.js";
import { CLOCK_SET_BACK_CASES, ORDER_AFTER_SET_BACK_CASES } from "./delivery-store/clock-set-back.js";
import { CLOSING_CASES, REOPENING_CASES, SHARING_CASES } from "./delivery-store/processes.js";
import { COUNTING_CASES, SWEEPING_CASES } from "./delivery-store/sweep.js";
import { DAMAGING_CASES, RESTARTING_CASES } from "./delivery-store/restart.js";
import { DEDUPING_CASES, SEEING_CASES, SEEING_LATER_CASES } from "./delivery-store/dedupe.js";
import { DELETING_CASES } from "./delivery-store/deletions.js";
import { ENDING_CASES, PULLING_IN_CASES, LOOKING_PAST_CASES } from "./delivery-store/bulk-changes.js";
import { FAILING_BOARD_CASES } from "./delivery-store/failing-boards.js";
import { FAILING_CASES, FAILING_FOR_GOOD_CASES, FAILING_MOVE_CASES } from "./delivery-store/failing.js";
import { FAILING_DELETION_CASES } from "./delivery-store/failing-deletions.js";
import { FIRST_ATTEMPT_CASES, LANE_PAGE_CASES } from "./delivery-store/lanes.js";
import { FILLING_CASES, LARGE_COMMIT_CASES, LIST_LIMIT_CASES } from "./delivery-store/sizes.js";
import { type DeliveryStoreHarness, NEEDED_BY_PART } from "./delivery-store/harness.js";
import { ENDED_LISTENER_CASES } from "./delivery-store/hints-ends.js";
import { LISTENING_WITHIN_CASES } from "./delivery-store/hints-within.js";
import { HINTING_CASES } from "./delivery-store/hints.js";
import { KEEPING_TIME_CASES } from "./delivery-store/store-clock.js";
import { LAPSING_CASES, LEASING_CASES, STALE_SETTLEMENT_CASES } from "./delivery-store/leases.js";
import { LISTING_CASES, MATCHING_CASES } from "./delivery-store/lists.js";
import { USER_LIMIT_CASES, REQUEST_LIMIT_CASES, PAGE_LIMIT_CASES } from "./delivery-store/limits-of-requests.js";
import { VALUE_LIMIT_CASES, INSTANT_LIMIT_CASES } from "./delivery-store/limits.js";
import { LOOK_ALIKE_BOARD_CASES, LOOK_ALIKE_USER_CASES } from "./delivery-store/look-alike-users.js";
import { LOOK_ALIKE_LANE_CASES, LOOK_ALIKE_MESSAGE_CASES } from "./delivery-store/look-alike-messages.js";
import {
  LOOK_ALIKE_TOKEN_CASES,
  LOOK_ALIKE_REST_CASES,
  LOOK_ALIKE_REQUEST_CASES,
} from "./delivery-store/look-alike-ids.js";
import { MEMBER_CASES, REQUEST_MEMBER_CASES } from "./delivery-store/members.js";
import { ENDED_STORE_CASES } from "./delivery-store/ends.js";
import { PURGING_CASES } from "./delivery-store/purge.js";
import { RACING_BEAT_CASES, RACING_ROW_CASES } from "./delivery-store/racing-boards.js";
import { RACING_CLAIM_CASES, RACING_COMMIT_CASES } from "./delivery-store/racing-commits.js";
import { RACING_DELETION_CASES, RACING_READ_CASES } from "./delivery-store/racing-reads.js";
import { DELIVERY_STORE_RECORD_CASES } from "./delivery-store/records.js";
import { RARE_PAIR_CASES } from "./delivery-store/rare-pairs.js";
import { RECORDING_CASES, SETTLING_CASES } from "./delivery-store/settle.js";
import { REPLAYING_CASES, REPLAYED_FOR_GOOD_CASES, RACING_REPLAY_CASES } from "./delivery-store/replay.js";
import type { StoreCase } from "./delivery-store/scene.js";
import { setScene } from "./delivery-store/set-scene.js";
import { SHORT_PAGE_CASES } from "./delivery-store/pages.js";
import { SUPPRESSING_CASES, REQUESTS_IN_TURN_CASES } from "./delivery-store/users.js";
import { TELLING_ROWS_CASES } from "./delivery-store/board-pages.js";
import { WALKING_OUTBOX_CASES } from "./delivery-store/outbox-walks.js";
import { KEEPING_CALLS_CASES } from "./delivery-store/outbox-values.js";
import { WRITING_ROWS_CASES } from "./delivery-store/board-rows.js";

const CASES: readonly StoreCase[] = [
  ...ACCEPTING_CASES,
  ...COMMITTING_CASES,
  ...HANDING_OFF_CASES,
  ...BYTE_CLASS_CASES,
  ...PROMISING_CASES,
  ...CARRYING_CASES,
  ...COPYING_BYTES_CASES,
  ...MEMBER_CASES,
  ...REQUEST_MEMBER_CASES,
  ...DEDUPING_CASES,
  ...SEEING_CASES,
  ...SEEING_LATER_CASES,
  ...CLAIMING_CASES,
  ...CLAIM_SHARE_CASES,
  ...LEASING_CASES,
  ...LAPSING_CASES,
  ...STALE_SETTLEMENT_CASES,
  ...SETTLING_CASES,
  ...RECORDING_CASES,
  ...REPLAYING_CASES,
  ...REPLAYED_FOR_GOOD_CASES,
  ...LINKING_CASES,
  ...SUPPRESSING_CASES,
  ...PURGING_CASES,
  ...DELETING_CASES,
  ...REQUESTS_IN_TURN_CASES,
  ...ENDING_CASES,
  ...PULLING_IN_CASES,
  ...DELIVERY_STORE_RECORD_CASES,
  ...BEATING_CASES,
  ...LIVING_PROCESS_CASES,
  ...WRITING_ROWS_CASES,
  ...TELLING_ROWS_CASES,
  ...LOOKING_PAST_CASES,
  ...LISTING_CASES,
  ...MATCHING_CASES,
  ...LANE_PAGE_CASES,
  ...CHANGING_LANES_CASES,
  ...FIRST_ATTEMPT_CASES,
  ...COUNTING_CASES,
  ...SWEEPING_CASES,
  ...RESTARTING_CASES,
  ...SHARING_CASES,
  ...CLOCK_SET_BACK_CASES,
  ...ORDER_AFTER_SET_BACK_CASES,
  ...KEEPING_TIME_CASES,
  ...CALLER_CLOCK_CASES,
  ...ADDING_CALLS_CASES,
  ...WAITING_FOR_NONE_CASES,
  ...KEEPING_CALLS_CASES,
  ...OUTLIVING_CALLS_CASES,
  ...WALKING_OUTBOX_CASES,
  ...SHARING_OUTBOX_CASES,
  ...HINTING_CASES,
  ...ENDED_LISTENER_CASES,
  ...LISTENING_WITHIN_CASES,
  ...ENDED_STORE_CASES,
  ...RARE_PAIR_CASES,
  ...SHORT_PAGE_CASES,
  ...CLOSING_CASES,
  ...REOPENING_CASES,
  // Faults at each access in turn come before what fills the storage, since they read much of it each time.
  ...FAILING_CASES,
  ...FAILING_FOR_GOOD_CASES,
  ...FAILING_MOVE_CASES,
  ...FAILING_DELETION_CASES,
  ...FAILING_BOARD_CASES,
  ...DAMAGING_CASES,
  ...LOOK_ALIKE_MESSAGE_CASES,
  ...LOOK_ALIKE_LANE_CASES,
  ...LOOK_ALIKE_TOKEN_CASES,
  ...LOOK_ALIKE_USER_CASES,
  ...LOOK_ALIKE_REST_CASES,
  ...LOOK_ALIKE_REQUEST_CASES,
  ...LOOK_ALIKE_BOARD_CASES,
  ...VALUE_LIMIT_CASES,
  ...INSTANT_LIMIT_CASES,
  ...REQUEST_LIMIT_CASES,
  ...PAGE_LIMIT_CASES,
  ...LIST_LIMIT_CASES,
  ...USER_LIMIT_CASES,
  ...RACING_CLAIM_CASES,
  ...RACING_COMMIT_CASES,
  ...RACING_REPLAY_CASES,
  ...RACING_READ_CASES,
  ...RACING_DELETION_CASES,
  ...RACING_BEAT_CASES,
  ...RACING_ROW_CASES,
  ...LARGE_COMMIT_CASES,
  ...FILLING_CASES,
];

/** All promises of a delivery store. Run them one after the other; they share the storage that `open` opens. */
export function deliveryStoreContract(
  harness: DeliveryStoreHarness,
  options: ContractOptions = {},
): readonly ContractCase[] {
  let runs = 0;
  const cases = CASES.map((storeCase) => {
    return caseFor(storeCase.name, supportFor({ exactSweeps: true, ...harness.supports }, storeCase.needs), () => {
      runs += 1;
      return play(harness, storeCase, runs);
    });
  });
  return chooseCases(cases, options);
}

async function play(harness: DeliveryStoreHarness, storeCase: StoreCase, run: number): Promise<void> {
  const scene = await setScene(harness, run);
  try {
    const parts = [...(storeCase.needs ?? []), ...(scene.isGated ? (["interleaving"] as const) : [])];
    expectNeededMembers(parts, NEEDED_BY_PART, { harness, store: scene.store() });
    await storeCase.play(scene);
  } finally {
    await scene.close();
  }
}
