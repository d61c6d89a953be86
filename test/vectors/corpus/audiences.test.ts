// Plays the audiences of the corpus: names as keys of traits, and members from one sync to the next.

import { audienceKey, diffSorted, snakeCase, sortMembers } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { type AudienceCase, readCorpus } from "./corpus.js";
import { valueOf } from "./parts.js";

describe("the corpus: audiences", () => {
  it.each(readCorpus<AudienceCase>("audiences").cases)("$name", (one) => {
    if ("audience" in one) expectKey(one);
    else expectDiff(one);
  });
});

function expectKey(one: Extract<AudienceCase, { readonly audience: unknown }>): void {
  const name = String(valueOf(one.audience));
  const answer = audienceKey(name, new Set(one.taken));
  if (one.expect.verdict === "refused") {
    const { reason, key } = one.expect;
    expect(answer).toEqual({ kind: "refused", reason, ...(key === undefined ? {} : { key }) });
    return;
  }
  const key = valueOf(one.expect.key);
  expect(answer.kind === "ok" && answer.key === key).toBe(true);
  expect(snakeCase(String(key)) === key).toBe(true);
  // What a receiver finds among the traits, as a key like any other.
  expect(Object.keys({ [String(key)]: true })).toHaveLength(1);
}

function expectDiff(one: Extract<AudienceCase, { readonly previous: unknown }>): void {
  const [previous, current] = [valueOf(one.previous), valueOf(one.current)] as [string[], string[]];
  const changes = [...diffSorted(setOf(previous), setOf(current))];
  for (const kind of ["entered", "departed"] as const) {
    const told = changes.filter((change) => change.kind === kind).map(({ userId }) => userId);
    // The corpus lists the changes in the order of the input; they are sent in the order of the sets.
    const expected = (valueOf(one.expect[kind]) as string[]).toSorted();
    expect(JSON.stringify(told) === JSON.stringify(expected)).toBe(true);
  }
  expect([...diffSorted(setOf(current), setOf(current))]).toEqual([]);
}

function setOf(userIds: readonly string[]) {
  return sortMembers(userIds.map((userId) => ({ userId })));
}
