// Loaded before the real program (`node --import`): damages the thread of its store, or with TROUBLED=sender the one that
// sends, in the way given by TROUBLE, once the file TROUBLE_AT exists.

import { existsSync } from "node:fs";
import { isMainThread, workerData } from "node:worker_threads";

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

const { TROUBLED = "store", TROUBLE = "", TROUBLE_AT = "" } = process.env;

if (!isMainThread && TROUBLED === (workerData?.network === undefined ? "store" : "sender")) {
  setInterval(() => {
    if (existsSync(TROUBLE_AT)) TROUBLES[TROUBLE]();
  }, LOOK_EVERY_MS).unref();
}
