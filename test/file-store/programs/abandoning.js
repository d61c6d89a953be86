// Opens stores in a folder and abandons them while their thread works, as often as asked.

import { openStores } from "../../../packages/sqlite/dist/file-store/index.js";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const PENDING = 200;
const LONGEST_MS = 4;

const [folder, times] = process.argv.slice(2);
for (let time = 0; time < Number(times); time += 1) {
  const { store, abandon } = await openStores(join(folder, "p.db"));
  for (let request = 0; request < PENDING; request += 1) store.counts().catch(() => undefined);
  await pause((time % LONGEST_MS) + 1);
  await abandon();
}
