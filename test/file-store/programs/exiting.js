// Opens a store on a given file, commits, prints how many commits were answered, and exits. It keeps only the store of what
// it has opened; with `--expose-gc`, the rest is collected as garbage before it commits.

import { writeSync } from "node:fs";
import { openStores } from "../../../packages/sqlite/dist/file-store/index.js";

const [, , path, when] = process.argv;
const NOW = 1_763_724_404_000;
let made = 0;

function commit() {
  const delivery = { destination: "crm", start: { kind: "waiting", dueAt: NOW } };
  const message = { source: "web", messageId: String(made), type: "track", receivedAt: NOW, filtered: [] };
  made += 1;
  return store.commit(
    {
      ...{ replay: [], settle: [], append: [], tally: [], lease: { token: "t", leaseMs: 30_000 } },
      accept: [{ ...message, body: new Uint8Array(300), deliveries: [delivery] }],
    },
    NOW,
  );
}

const { store } = await openStores(path);
globalThis.gc?.();
await new Promise((resolve) => setTimeout(resolve, 20));
let told = 0;
for (; told < 5; told += 1) await commit();
if (when === "with commits under way") {
  for (let n = 0; n < 100; n += 1) void commit().then(() => (told += 1));
  await commit();
}
writeSync(1, String(told));
process.exit(0);
