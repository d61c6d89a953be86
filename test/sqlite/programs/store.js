// Shared by the programs of this folder: opens a store on the file that is their first argument, with the built package.

import { DatabaseSync } from "@photostructure/sqlite";
import { createSqliteStore } from "@postrider/sqlite";

export const NOW = 1_763_724_404_000;
export const [, , FILE = "", ...WORDS] = process.argv;

export const store = createSqliteStore({ database: new DatabaseSync(FILE) });

export const changes = (token, some) => ({
  ...{ accept: [], replay: [], settle: [], append: [], tally: [], lease: { token, leaseMs: 30_000 } },
  ...some,
});

export const message = (messageId) => ({
  ...{ source: "web", messageId, type: "track", receivedAt: NOW, body: new Uint8Array(100), filtered: [] },
  deliveries: [{ destination: "crm", start: { kind: "waiting", dueAt: NOW } }],
});
