// The stores whose optional parts are broken.

import { BOARD_STORES } from "./broken-boards.js";
import { CLOCK_STORES } from "./broken-clocks.js";
import { GATED_BOARD_STORES } from "./broken-gated-boards.js";
import { LANE_CHANGE_STORES } from "./broken-lane-changes.js";
import { LAPSE_STORES } from "./broken-lapses.js";
import { LINK_STORES } from "./broken-links.js";
import { PAUSE_STORES } from "./broken-pauses.js";
import { REPLAY_JOB_STORES } from "./broken-replay-jobs.js";
import { SETTINGS_STORES } from "./broken-settings.js";
import type { BrokenStore } from "./broken-stores.js";

export const PART_STORES: readonly BrokenStore[] = [
  ...LANE_CHANGE_STORES,
  ...PAUSE_STORES,
  ...REPLAY_JOB_STORES,
  ...LINK_STORES,
  ...LAPSE_STORES,
  ...CLOCK_STORES,
  ...SETTINGS_STORES,
  ...BOARD_STORES,
  ...GATED_BOARD_STORES,
];
