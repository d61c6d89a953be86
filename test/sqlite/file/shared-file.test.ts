// Several processes share a file: a delivery that one has claimed is claimed by no other, and the counts of all add up.

import { countsBalance, totalCounts } from "@postrider/core/engine";
import { expect, it } from "vitest";
import { changes, message, NOW, stored } from "../changes.js";
import { newFile, openStore } from "../files.js";
import { runProgram } from "../run-program.js";

it("three processes that claim from one file at once settle every delivery exactly once", async () => {
  const file = newFile();
  const store = openStore(file);
  const accept = Array.from({ length: 600 }, (_, index) => message(String(index)));
  const ids = stored(await store.commit(changes({ accept }), NOW));

  const programs = ["a", "b", "c"].map((token) => runProgram("claim", [file, token]));
  await Promise.all(programs.map(({ ready }) => ready));
  for (const program of programs) program.go();
  const wrote = await Promise.all(programs.map(({ ended }) => ended));
  for (const lines of wrote) expect(lines.length).toBeGreaterThan(1);
  const settled = wrote.flat().filter((line) => line !== "ready");
  expect(settled.toSorted()).toEqual(ids.map((id) => `${id} settled`).toSorted());

  const counts = totalCounts(await store.counts());
  expect(counts).toMatchObject({ accepted: 600, delivered: 600, waiting: 0, claimed: 0 });
  expect(countsBalance(counts)).toBe(true);
  expect(await store.lanes({ limit: 10 }, NOW)).toEqual({ lanes: [], more: false });
  await store.close();
});
