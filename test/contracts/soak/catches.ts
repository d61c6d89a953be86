// `npm run soak -- contracts`: plays every case on every broken store, and compares what each fails with docs/contracts.md. After a
// change of the suite, `POSTRIDER_SOAK=1 npx vitest run --project soak test/contracts/soak --update` writes it anew.

import fc from "fast-check";
import { expect, it } from "vitest";
import { playStore, type Row, writeTable } from "../broken/table.js";
import { BROKEN_STORES } from "../broken-stores.js";

// Only whether a store fails a case matters here: failures are not shrunk, which would take hundreds of runs more.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

it("catches what docs/contracts.md says", async () => {
  const rows: Row[] = [];
  for (const broken of BROKEN_STORES) {
    rows.push(await playStore(broken));
    console.log(`${String(rows.length)} of ${String(BROKEN_STORES.length)}: ${broken.name}`);
  }
  await expect(writeTable(rows)).toMatchFileSnapshot("../../../docs/contracts.md");
});
