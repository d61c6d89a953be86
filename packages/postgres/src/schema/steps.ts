// The steps of the schema, oldest first. A step that a release contains never changes: a change is a further step, which first adds,
// and in a later release takes away, so that programs of two versions run side by side.

import { ACCEPT } from "./accept.js";
import { AUDIENCES } from "./audiences.js";
import { BOARD } from "./board.js";
import { CLAIM } from "./claim.js";
import { COMMIT } from "./commit.js";
import { DELETE_USERS } from "./delete-users.js";
import { HELPERS } from "./helpers.js";
import { LISTS } from "./list.js";
import { MAINTAIN } from "./maintain.js";
import { OUTBOX } from "./outbox.js";
import { READ } from "./read.js";
import { REPLAY } from "./replay.js";
import { PUT_SHARED_SETTINGS } from "./settings.js";
import { SETTLE } from "./settle.js";
import { TABLES } from "./tables.js";

/** The steps of the schema as SQL, which is run in the schema of the store. */
export const POSTGRES_STEPS: readonly string[] = [
  [
    TABLES,
    HELPERS,
    ACCEPT,
    SETTLE,
    REPLAY,
    COMMIT,
    CLAIM,
    MAINTAIN,
    DELETE_USERS,
    READ,
    LISTS,
    PUT_SHARED_SETTINGS,
    BOARD,
    OUTBOX,
    AUDIENCES,
  ].join("\n"),
];
