// The truth table of syncs: the exact messages that a receiver gets from each.

import type { SyncProgress } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { CRM, createAudienceRig, crm, MAIL, mail } from "./audience-rig.js";

/** For each sync in turn: the members of the audience, and the changes that the receiver gets. */
const TABLE: readonly (readonly [row: string, ...steps: readonly (readonly [members: string, heard: string])[]])[] = [
  ["a first sync", ["b a", "a true, b true"]],
  ["a user enters", ["a", "a true"], ["a b", "b true"]],
  ["a user leaves", ["a b", "a true, b true"], ["b", "a false"]],
  ["one enters, one leaves", ["a b", "a true, b true"], ["b c", "a false, c true"]],
  ["the same members, in another order", ["a b", "a true, b true"], ["b a", ""]],
  ["no members at first", ["", ""], ["a", "a true"]],
  ["all are gone", ["a b", "a true, b true"], ["", "a false, b false"], ["", ""]],
  ["in and out and in", ["a", "a true"], ["", "a false"], ["a", "a true"], ["", "a false"]],
  ["the same member many times", ["a b a a b", "a true, b true"], ["b b", "a false"]],
  ["all others", ["a b", "a true, b true"], ["c d", "a false, b false, c true, d true"]],
];

const membersOf = (text: string): readonly string[] => text.split(" ").filter((userId) => userId !== "");

describe("a sync of an audience", () => {
  for (const [row, ...steps] of TABLE) it(row, () => play(steps));

  it("is done when each destination was told of each member, even if the progress callback throws", async () => {
    const rig = createAudienceRig({ destinations: [crm(), mail()] });
    await rig.create({ destinations: [CRM, MAIL] });
    const steps: SyncProgress[] = [];
    const onProgress = (progress: SyncProgress): void => {
      steps.push(progress);
      throw new Error("the bar broke");
    };
    expect(await rig.sync(["a", "b", "c"], { onProgress })).toMatchObject({ entered: 3 });
    expect(steps.at(-1)).toEqual({ phase: "sending", done: 6, total: 6 });
  });
});

async function play(steps: readonly (readonly [members: string, heard: string])[]): Promise<void> {
  const rig = createAudienceRig();
  await rig.create();
  for (const [members, heard] of steps) {
    const report = await rig.sync(membersOf(members));
    const lines = heard === "" ? [] : heard.split(", ").map((line) => `crm ${line}`);
    expect(rig.heard()).toEqual(lines);
    expect(report.members).toBe(new Set(membersOf(members)).size);
    expect(report.entered + report.departed).toBe(lines.length);
  }
}
