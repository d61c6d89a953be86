import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentOf, type DestinationDraft, draftOf, mergeDrafts } from "../../packages/console/page/settings/draft.js";

const endpoint = fc.record({
  url: fc.constantFrom("https://a.test", "https://b.test/x", "sealed:1"),
  headers: fc.uniqueArray(fc.record({ name: fc.constantFrom("X-A", "X-B"), value: fc.constantFrom("1", "sealed:2") }), {
    selector: ({ name }) => name,
  }),
});
const drafts: fc.Arbitrary<DestinationDraft> = fc
  .record({
    source: fc.constant(undefined),
    id: fc.constant("crm"),
    name: fc.constantFrom("", "One", "Two"),
    sources: fc.uniqueArray(fc.constantFrom("web", "app")),
    endpoints: fc.array(endpoint, { minLength: 1, maxLength: 2 }),
    secret: fc.constantFrom("", "sealed:3", "s"),
    older: fc.array(fc.constantFrom("sealed:4"), { maxLength: 1 }),
    isStandard: fc.boolean(),
    isOn: fc.boolean(),
  })
  // Without a secret there is none before it.
  .map((draft) => (draft.secret === "" ? { ...draft, older: [] } : draft));

describe("a draft of a destination", () => {
  it("comes back from the document that it makes", () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const [made] = documentOf(draft, {}).destinations ?? [];
        expect(draftOf(made!)).toEqual(draft);
      }),
    );
  });

  it("leaves what it does not show of a destination, and all others, as they are", () => {
    const more = { paused: true, rateLimit: { perSecond: 5 }, acceptsHistorical: false };
    const other = { id: "mail", sources: [{ source: "web", mode: "cloud" }], endpoints: [] };
    fc.assert(
      fc.property(drafts, drafts, (before, after) => {
        const { destinations = [] } = documentOf(before, {});
        const base = { delivery: {}, destinations: [other, { ...destinations[0]!, ...more }] };
        const document = documentOf(after, base);
        expect(document.destinations?.[0]).toBe(other);
        expect(document.destinations?.[1]).toMatchObject(more);
        expect(document["delivery"]).toBe(base.delivery);
      }),
    );
  });
});

describe("two drafts of one destination", () => {
  it("keep what each has changed; what both have changed is named, and is mine", () => {
    fc.assert(
      fc.property(drafts, drafts, drafts, (begun, mine, theirs) => {
        const { draft, both } = mergeDrafts(begun, mine, theirs);
        for (const key of Object.keys(mine) as (keyof DestinationDraft)[]) {
          const text = (one: DestinationDraft) => JSON.stringify(one[key]);
          const [isMine, isTheirs] = [text(mine) !== text(begun), text(theirs) !== text(begun)];
          expect(text(draft)).toBe(text(isMine ? mine : theirs));
          expect(both.includes(key)).toBe(isMine && isTheirs && text(mine) !== text(theirs));
        }
      }),
    );
  });
});
