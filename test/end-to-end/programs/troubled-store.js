// Loaded ahead of the real program (`node --import`): does harm to the thread of its store once the file TROUBLE_AT is there,
// in the way that TROUBLE says.

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
