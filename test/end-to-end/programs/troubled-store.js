// Loaded before the real program (`node --import`): damages the thread of its store, in the way given by TROUBLE, once the
// file TROUBLE_AT exists.

import { existsSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const LOOK_EVERY_MS = 20;

const TROUBLES = {
  throw: () => {
    throw new Error("a fault of the test's own");
  },
  exit: () => process.exit(),
  loop: () => {
    for (;;);
  },
};

if (!isMainThread) {
  const { TROUBLE = "", TROUBLE_AT = "" } = process.env;
  setInterval(() => {
    if (existsSync(TROUBLE_AT)) TROUBLES[TROUBLE]();
  }, LOOK_EVERY_MS).unref();
}
