// The stores whose optional parts are broken.

import { BOARD_STORES } from "./broken-boards.js";
import { CLOCK_STORES } from "./broken-clocks.js";
import { RARE_PAIR_STORES } from "./broken-rare-pairs.js";
import { GATED_BOARD_STORES } from "./broken-gated-boards.js";
import { LANE_CHANGE_STORES } from "./broken-lane-changes.js";
import { LAPSE_STORES } from "./broken-lapses.js";
import { LINK_STORES } from "./broken-links.js";
import { RECORD_STORES } from "./broken-record-stores.js";
import { REPLAY_STORES } from "./broken-replays.js";
import { PORT_STORES } from "./broken-ports.js";
import type { BrokenStore } from "./broken-stores.js";

export const PART_STORES: readonly BrokenStore[] = [
  ...LANE_CHANGE_STORES,
  ...RECORD_STORES,
  ...LINK_STORES,
  ...LAPSE_STORES,
  ...CLOCK_STORES,
  ...RARE_PAIR_STORES,
  ...BOARD_STORES,
  ...GATED_BOARD_STORES,
  ...REPLAY_STORES,
  ...PORT_STORES,
];
