// Opens the stores of a given file, commits once, prints "open", and closes them once its input ends.

import { openStores } from "../../../packages/sqlite/dist/file-store/index.js";

const stores = await openStores(process.argv[2]);
const delivery = { destination: "crm", start: { kind: "waiting", dueAt: 1_763_724_404_000 } };
const message = { source: "web", messageId: "held", type: "track", receivedAt: 1_763_724_404_000, filtered: [] };
await stores.store.commit(
  {
    ...{ replay: [], settle: [], append: [], tally: [], lease: { token: "t", leaseMs: 30_000 } },
    accept: [{ ...message, body: new Uint8Array(300), deliveries: [delivery] }],
  },
  1_763_724_404_000,
);
process.stdout.write("open\n");
process.stdin.resume().once("end", () => void stores.close());
