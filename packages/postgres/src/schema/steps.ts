// The steps of the schema, oldest first; their number is its version. Until a version is published, a schema is changed in place, in the
// files beside this one. From then on the steps of a release never change, and a change is a further step, which first adds, and in a
// later release takes away, so that programs of two versions run side by side, and one may go back to the earlier one.

import { ACCEPT } from "./accept.js";
import { AUDIENCES } from "./audiences.js";
import { BOARD } from "./board.js";
import { CLAIM } from "./claim.js";
import { COMMIT } from "./commit.js";
import { DELETE_USERS } from "./delete-users.js";
import { HELPERS } from "./helpers.js";
import { KNOWN } from "./known.js";
import { LEAF_TABLES } from "./leaf-tables.js";
import { LANE_CHANGES } from "./lane-changes.js";
import { LISTS } from "./list.js";
import { LOOK_THROUGH_LEAF } from "./look-through-leaf.js";
import { MAINTAIN } from "./maintain.js";
import { OUTBOX } from "./outbox.js";
import { READ } from "./read.js";
import { REPLAY } from "./replay.js";
import { PUT_SHARED_SETTINGS } from "./settings.js";
import { SETTLE } from "./settle.js";
import { TABLES } from "./tables.js";
import { TEND_LEAVES } from "./tend-leaves.js";

/** A step of the schema. */
export interface PostgresStep {
  /** What is run in the schema of the store. */
  readonly sql: string;
  /** How many steps a program has to know at least to work after this one: its own number, or that of an earlier one if it only adds. */
  readonly oldest: number;
}

const FIRST = [
  TABLES,
  LEAF_TABLES,
  HELPERS,
  KNOWN,
  ACCEPT,
  SETTLE,
  REPLAY,
  COMMIT,
  CLAIM,
  MAINTAIN,
  TEND_LEAVES,
  LOOK_THROUGH_LEAF,
  DELETE_USERS,
  READ,
  LANE_CHANGES,
  LISTS,
  PUT_SHARED_SETTINGS,
  BOARD,
  OUTBOX,
  AUDIENCES,
].join("\n");

/** All steps. */
export const POSTGRES_STEPS: readonly PostgresStep[] = [{ sql: FIRST, oldest: 1 }];
