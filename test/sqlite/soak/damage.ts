// Damages a file with waiting deliveries as a disk may, a thousand times. Prints the number of each outcome.

import fc from "fast-check";
import { expect, it } from "vitest";
import { createImages, damages, judgeDamage, type Verdict } from "../file/damage.js";

const CASES = Number(process.env["POSTRIDER_RUNS"] ?? 1_000);
const SEED = Number(process.env["POSTRIDER_SEED"] ?? 20_260_131);

it.each([
  { isChecked: true, title: "as small files are opened, looked through" },
  { isChecked: false, title: "as large files are opened, on their checksums alone" },
])("files that a disk damaged, $title: no wrong body is handed out", async ({ isChecked, title }) => {
  const images = await createImages();
  const table = new Map<string, Map<Verdict, number>>();
  for (const damage of fc.sample(damages, { numRuns: CASES, seed: SEED })) {
    const image = damage.file === "log" ? images.killed : images.closed;
    const verdict = await judgeDamage(image, damage, isChecked);
    const row = table.get(`${damage.kind} of the ${damage.file}`) ?? new Map<Verdict, number>();
    table.set(`${damage.kind} of the ${damage.file}`, row.set(verdict, (row.get(verdict) ?? 0) + 1));
    expect(verdict, JSON.stringify(damage)).not.toBe("wrong");
    if (isChecked) expect(verdict, JSON.stringify(damage)).not.toBe("lost");
  }
  console.log(`${String(CASES)} files, ${title}, ${String(images.closed.expected.size)} deliveries in each:`);
  console.table(Object.fromEntries([...table].sort().map(([name, row]) => [name, Object.fromEntries(row)])));
});
