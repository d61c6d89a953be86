import { type DeletionId, type DeletionRecord, type DeletionStep, nextStep, REGULATIONS } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { NOW } from "../builders.js";

function record(changes: Partial<DeletionRecord> = {}): DeletionRecord {
  return {
    number: 1,
    id: "d1" as DeletionId,
    regulation: "delete-only",
    sources: null,
    requestedAt: NOW,
    users: 2,
    userIds: ["u1", "u2"],
    notified: 0,
    isPurged: false,
    purged: 0,
    notices: [],
    ...changes,
  };
}

/** All steps of a request, each carried out in turn. */
function stepsOf(start: DeletionRecord): readonly DeletionStep[] {
  const step = nextStep(start);
  switch (step) {
    case "purge":
      return [step, ...stepsOf({ ...start, isPurged: true })];
    case "notify":
      return [step, ...stepsOf({ ...start, notified: start.users })];
    case "finish":
      return [step, ...stepsOf({ ...start, finishedAt: NOW })];
    case "none":
      return [step];
  }
}

describe("nextStep", () => {
  it("leads each kind of request to its end", () => {
    expect(Object.fromEntries(REGULATIONS.map((regulation) => [regulation, stepsOf(record({ regulation }))]))).toEqual({
      "delete-only": ["purge", "notify", "finish", "none"],
      "suppress-with-delete": ["purge", "notify", "finish", "none"],
      "suppress-only": ["purge", "finish", "none"],
      unsuppress: ["finish", "none"],
    });
  });

  it("continues with the users without a notice", () => {
    expect(nextStep(record({ isPurged: true, notified: 1 }))).toBe("notify");
    expect(nextStep(record({ isPurged: true, notified: 2 }))).toBe("finish");
  });
});
