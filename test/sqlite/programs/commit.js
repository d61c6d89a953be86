// Makes a given number of commits, with one accepted call each, and prints when it begins and when it is done.

import { writeSync } from "node:fs";
import { changes, message, NOW, store, WORDS } from "./store.js";

writeSync(1, "begin\n");
for (let n = 0; n < Number(WORDS[0]); n += 1) {
  await store.commit(changes("token", { accept: [message(String(n))] }), NOW);
}
writeSync(1, "done\n");
