import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FetchResult } from "../../packages/console/page/base/ask.js";
import { changesOfRevision, linesOfDifference } from "../../packages/console/page/settings/differences.js";
import type { Document } from "../../packages/console/page/settings/document.js";

const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 12 });

/** The length of the longest list that both have in order, by trying all. */
function longestCommon(one: readonly string[], other: readonly string[]): number {
  const [head, ...rest] = one;
  if (head === undefined) return 0;
  const at = other.indexOf(head);
  const without = longestCommon(rest, other);
  return at === -1 ? without : Math.max(without, 1 + longestCommon(rest, other.slice(at + 1)));
}

describe("the lines that differ between two texts", () => {
  it("are the first text without the new ones, and the second without those that are gone", () => {
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        const found = linesOfDifference(one.join("\n"), other.join("\n"));
        const side = (leftOut: string) => found.filter(({ kind }) => kind !== leftOut).map(({ text }) => text);
        const plain = (list: readonly string[]) => (list.join("\n") === "" ? [] : list);
        expect(side("new")).toEqual(plain(one));
        expect(side("gone")).toEqual(plain(other));
      }),
    );
  });

  it("are as few as can be", () => {
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        const [before, after] = [`x\n${one.join("\n")}`, `x\n${other.join("\n")}`];
        const same = linesOfDifference(before, after).filter(({ kind }) => kind === "same");
        expect(same.length).toBe(1 + longestCommon(one, other));
      }),
      { numRuns: 50 },
    );
  });

  it("are all of both texts if these are large", () => {
    const text = Array.from({ length: 600 }, (_, line) => String(line)).join("\n");
    const kinds = new Set(linesOfDifference(text, text).map(({ kind }) => kind));
    expect([...kinds]).toEqual(["gone", "new"]);
  });
});

describe("the changes of a revision", () => {
  const newer: FetchResult<Document> = { kind: "ok", value: { retention: { days: 7 }, sources: [] } };
  const older: FetchResult<Document> = { kind: "ok", value: { retention: { days: 3 }, sources: [] } };
  const refused = (status: number): FetchResult<never> => ({ kind: "refused", status, code: "", message: "" });

  it("are those of its entries that differ from the revision before", () => {
    expect(changesOfRevision(older, newer)).toMatchObject({ kind: "ok", value: [{ what: "retention" }] });
  });

  it("are all of it if the revision before is not kept any more", () => {
    const value = [{ what: "retention", before: undefined }];
    expect(changesOfRevision(refused(404), newer)).toMatchObject({ kind: "ok", value });
  });

  it.each([0, 401, 503])("are not shown if the revision before cannot be read now: status %i", (status) => {
    expect(changesOfRevision(refused(status), newer)).toEqual(refused(status));
  });

  it("are not shown if the revision itself cannot be read", () => {
    expect(changesOfRevision(older, refused(404))).toEqual(refused(404));
  });
});
