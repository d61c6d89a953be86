// The calls that arrive otherwise than by analytics-node: the rows of the table in docs/guides/from-other-libraries.md, and the odd calls
// that each row is about.

import type { OddCall } from "./odd-calls.js";

interface Difference {
  /** The cells of the row. */
  readonly what: string;
  readonly theirs: string;
  readonly ours: string;
  readonly why: string;
  readonly isOf: (call: OddCall) => boolean;
  /** Whether something arrives. */
  readonly arrives: { readonly byTheirs: boolean; readonly byOurs: boolean };
}

const BOTH = { byTheirs: true, byOurs: true };
const THEIRS = { byTheirs: true, byOurs: false };
const OURS = { byTheirs: false, byOurs: true };

const named =
  (...names: readonly string[]) =>
  ({ name }: OddCall): boolean =>
    names.includes(name);

/** Of a value in one of these places. */
const placed =
  (places: readonly string[], isValue: (value: string) => boolean) =>
  ({ name }: OddCall): boolean =>
    places.some((place) => name.endsWith(` as ${place}`) && isValue(name.slice(0, -` as ${place}`.length)));

const among =
  (...values: readonly string[]) =>
  (value: string): boolean =>
    values.includes(value);

/** What has a `toJSON` that answers an object, or null. */
const WRITES_AN_OBJECT = among(
  "an instance of a class with toJSON",
  "a Buffer",
  "an invalid moment",
  "an invalid dayjs",
  "an invalid DateTime of luxon",
  "a document of mongoose",
  "a Map of immutable",
);

const NUMBERS = among("a whole number", "a boxed number");

export const DIFFERENCES: readonly Difference[] = [
  {
    what: "`properties` of a page or screen, `context` or `integrations` that are no object, such as a list or a text",
    theirs: "sends `{}`, or the items and letters under their indexes",
    ours: "refused, `not-an-object`",
    why: "it is a mistake, and would go unseen",
    isOf: placed(["properties of a page", "context", "integrations"], (value) => !WRITES_AN_OBJECT(value)),
    arrives: THEIRS,
  },
  {
    what: "an object with a `toJSON` as `properties` of a page or screen",
    theirs: "sends its inner fields, such as `_doc` of mongoose",
    ours: "sends what `toJSON` answers",
    why: "as in every other place, with both",
    isOf: placed(["properties of a page"], WRITES_AN_OBJECT),
    arrives: BOTH,
  },
  {
    what: "`properties` or `traits` that are an empty list, an invalid date or a Buffer",
    theirs: "throws",
    ours: "sent as JSON writes them: none, none, and an object",
    why: "nothing is lost for a detail",
    isOf: placed(
      ["properties of a track", "traits of an identify"],
      among("an invalid Date", "a Buffer", "the empty list"),
    ),
    arrives: OURS,
  },
  {
    what: "a number as `userId`, `anonymousId` or `previousId`",
    theirs: "throws",
    ours: "sent as its digits",
    why: "ids of databases are numbers",
    isOf: (call) =>
      named("an alias with numbers", "a number as anonymousId")(call) || placed(["userId"], NUMBERS)(call),
    arrives: OURS,
  },
  {
    what: "a `userId` or an `event` that JSON writes as text, such as an ObjectId or a URL",
    theirs: "throws",
    ours: "sent as that text",
    why: "as it is in every other place",
    isOf: placed(["userId", "event"], (value) => !NUMBERS(value)),
    arrives: OURS,
  },
  {
    what: "a `timestamp` that is a BigInt, or that JSON cannot write",
    theirs: "never sent, without an error for a long time",
    ours: "sent with the time of the call",
    why: "nothing is lost for a detail",
    isOf: placed(["timestamp"], () => true),
    arrives: OURS,
  },
  {
    what: "`category` of a page",
    theirs: "sent, and copied into `properties`",
    ours: "sent",
    why: "`properties` are yours",
    isOf: named("a page with a category"),
    arrives: BOTH,
  },
  {
    what: "`traits` of a page",
    theirs: "dropped",
    ours: "merged into `properties`",
    why: "the Go library has them",
    isOf: named("a page with traits"),
    arrives: BOTH,
  },
  {
    what: "`anonymousId` of an alias",
    theirs: "dropped",
    ours: "sent",
    why: "it was given",
    isOf: named("an alias with an anonymousId"),
    arrives: BOTH,
  },
  {
    what: "`context.library`",
    theirs: "overwritten",
    ours: "sent",
    why: "a library over ours names itself",
    isOf: named("a context with a library"),
    arrives: BOTH,
  },
];
