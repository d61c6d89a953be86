// Calls as programs make them in earnest, with values that are not plain JSON: each value in each place of a call, and the odd ones.

import { runInNewContext } from "node:vm";
import type { CallKind } from "@postrider/core";
import { LIBRARY_VALUES } from "../programs/host-values/values.js";

/** One call: its name, its kind, and the argument, which is made anew for each library. */
export interface OddCall {
  readonly name: string;
  readonly type: CallKind;
  readonly make: () => unknown;
}

const AT = "2026-01-30T12:00:00.000Z";

class Plan {
  readonly plan = "pro";
  readonly #seats = 3;
  get seats(): number {
    return this.#seats;
  }
}

class Dto extends Plan {
  toJSON(): object {
    return { plan: this.plan, seats: this.seats };
  }
}

class TrackDto {
  readonly userId = "u1";
  readonly #event = "e";
  get event(): string {
    return this.#event;
  }
  toJSON(): object {
    return {};
  }
}

/** Values as objects of fields, or in place of one. */
const VALUES: Readonly<Record<string, () => unknown>> = {
  "an object of another realm": () => runInNewContext('({ plan: "pro", list: [1, { a: 1 }] })'),
  "a Date of another realm": () => runInNewContext(`new Date("${AT}")`),
  "a boxed text of another realm": () => runInNewContext('Object("text")'),
  "an instance of a class": () => new Plan(),
  "an instance of a class with toJSON": () => new Dto(),
  "an object with toJSON": () => ({ hidden: 1, toJSON: () => ({ plan: "pro" }) }),
  "an object whose toJSON answers itself": () => ({
    plan: "pro",
    toJSON() {
      return this;
    },
  }),
  "an object without a prototype": () => Object.assign(Object.create(null), { plan: "pro" }),
  "an object with inherited fields": () => Object.assign(Object.create({ inherited: 1 }), { plan: "pro" }),
  "an object with undefined, a function and a symbol": () => ({
    a: undefined,
    b: () => 1,
    c: Symbol("s"),
    d: [undefined, () => 1],
  }),
  "an object with NaN and infinite numbers": () => ({ a: NaN, b: [Infinity, -Infinity], c: { d: NaN } }),
  "an object with a bigint": () => ({ n: 10n }),
  "an object with a circle": () => {
    const circle: Record<string, unknown> = {};
    return Object.assign(circle, { circle });
  },
  "an object of 70 levels": () => Array.from({ length: 70 }).reduce((inner) => ({ a: inner }), 1),
  "an object of 40,000 bytes": () => ({ text: "x".repeat(40_000) }),
  "a frozen object": () => Object.freeze({ plan: "pro" }),
  "a Date": () => new Date(AT),
  "an invalid Date": () => new Date("no date"),
  "a Date of the year 12026": () => new Date(Date.UTC(12_026, 0)),
  "a Map": () => new Map([["plan", "pro"]]),
  "a Set": () => new Set([1]),
  "an Error": () => new Error("e"),
  "a URL": () => new URL("https://example.com/"),
  "a Buffer": () => Buffer.from([1, 2]),
  "a RegExp": () => /a/,
  "a Promise": () => Promise.resolve(1),
  "a function": () => () => 1,
  "a symbol": () => Symbol("s"),
  "a bigint": () => 10n,
  NaN: () => NaN,
  Infinity: () => Infinity,
  "a whole number": () => 7,
  "a fraction": () => 1.5,
  "a boolean": () => true,
  "a text": () => "text",
  "the empty text": () => "",
  "a boxed text": () => Object("text"),
  "a boxed number": () => Object(7),
  "the empty list": () => [],
  "a list": () => ["a"],
  null: () => null,
  undefined: () => undefined,
  ...LIBRARY_VALUES,
};

/** Where a value stands: the kind of the call, and the call around it. */
const PLACES: Readonly<Record<string, readonly [CallKind, (value: unknown) => unknown]>> = {
  "properties of a track": ["track", (properties) => ({ userId: "u1", event: "e", properties })],
  "properties of a page": ["page", (properties) => ({ userId: "u1", name: "Home", properties })],
  "traits of an identify": ["identify", (traits) => ({ userId: "u1", traits })],
  context: ["track", (context) => ({ userId: "u1", event: "e", context })],
  integrations: ["track", (integrations) => ({ userId: "u1", event: "e", integrations })],
  "a property": ["track", (x) => ({ userId: "u1", event: "e", properties: { x } })],
  "an item of a list": ["track", (x) => ({ userId: "u1", event: "e", properties: { list: [x] } })],
  timestamp: ["track", (timestamp) => ({ userId: "u1", event: "e", timestamp })],
  userId: ["track", (userId) => ({ userId, event: "e" })],
  groupId: ["group", (groupId) => ({ userId: "u1", groupId })],
  event: ["track", (event) => ({ userId: "u1", event })],
};

/** Each value in each place. */
const PLACED: readonly OddCall[] = Object.entries(PLACES).flatMap(([place, [type, around]]) =>
  Object.entries(VALUES).map(([value, make]) => ({ name: `${value} as ${place}`, type, make: () => around(make()) })),
);

const track = (fields: object): object => ({ userId: "u1", event: "e", ...fields });

const ALONE: readonly (readonly [name: string, type: CallKind, make: () => unknown])[] = [
  ["a call of another realm", "track", () => runInNewContext('({ userId: "u1", event: "e", properties: { a: 1 } })')],
  ["a call of a class, with a getter and toJSON", "track", () => new TrackDto()],
  ["a call without a prototype", "track", () => Object.assign(Object.create(null), track({}))],
  ["a call with inherited fields", "track", () => Object.assign(Object.create({ userId: "u1" }), { event: "e" })],
  ["a call that writes itself as less", "track", () => ({ ...track({}), toJSON: () => ({}) })],
  ["a call whose getter throws", "track", () => Object.defineProperty({}, "userId", { get: fail, enumerable: true })],
  ["a property whose toJSON throws", "track", () => track({ properties: { a: { toJSON: fail } } })],
  ["nothing as a call", "track", () => undefined],
  ["a list as a call", "track", () => []],
  ["a text as a call", "track", () => "text"],
  ["a Map as a call", "track", () => new Map()],
  ["a track without an event", "track", () => ({ userId: "u1" })],
  ["a track without ids", "track", () => ({ event: "e" })],
  ["an identify without traits", "identify", () => ({ userId: "u1" })],
  ["an identify by an anonymousId", "identify", () => ({ anonymousId: "a1" })],
  ["a page without a name", "page", () => ({ userId: "u1" })],
  ["a page with a category", "page", () => ({ userId: "u1", name: "Home", category: "Docs", properties: { a: 1 } })],
  ["a page with traits", "page", () => ({ userId: "u1", name: "Home", traits: { a: 1 }, properties: { b: 1 } })],
  ["a page with a number as its name", "page", () => ({ userId: "u1", name: 1 })],
  ["a page with null for its name", "page", () => ({ userId: "u1", name: null })],
  ["a screen with a category", "screen", () => ({ userId: "u1", name: "Home", category: "Docs" })],
  ["a group without a groupId", "group", () => ({ userId: "u1" })],
  ["a group without a user", "group", () => ({ groupId: "g1" })],
  ["a group of an anonymous user", "group", () => ({ anonymousId: "a1", groupId: "g1" })],
  ["an alias", "alias", () => ({ userId: "u1", previousId: "u0" })],
  ["an alias without a userId", "alias", () => ({ previousId: "u0" })],
  ["an alias without a previousId", "alias", () => ({ userId: "u1" })],
  ["an alias with numbers", "alias", () => ({ userId: 1, previousId: 2 })],
  ["an alias with an anonymousId", "alias", () => ({ userId: "u1", previousId: "u0", anonymousId: "a1" })],
  ["a number as anonymousId", "track", () => ({ anonymousId: 7, event: "e" })],
  ["a userId and a number as anonymousId", "track", () => track({ anonymousId: 7 })],
  ["the empty userId beside an anonymousId", "track", () => track({ userId: "", anonymousId: "a1" })],
  ["a messageId", "track", () => track({ messageId: "m1" })],
  ["an empty messageId", "track", () => track({ messageId: "" })],
  ["a number as messageId", "track", () => track({ messageId: 7 })],
  ["a messageId of 101 characters", "track", () => track({ messageId: "m".repeat(101) })],
  ["a timestamp with an offset", "track", () => track({ timestamp: "2026-01-30T14:00:00+02:00" })],
  ["a timestamp of digits alone", "track", () => track({ timestamp: "1769860800000" })],
  ["a timestamp in milliseconds", "track", () => track({ timestamp: 1_769_860_800_000 })],
  ["a timestamp of a day", "track", () => track({ timestamp: "2026-01-30" })],
  ["a timestamp in words", "track", () => track({ timestamp: "yesterday" })],
  ["a context with a library", "track", () => track({ context: { library: { name: "own", version: "1" } } })],
  [
    "a context with an ip and a campaign",
    "track",
    () => track({ context: { ip: "192.0.2.1", campaign: { name: "c" } } }),
  ],
  ["integrations with options", "track", () => track({ integrations: { All: false, Webhooks: { a: 1 } } })],
  ["a field that no call has", "track", () => track({ version: 2, channel: "server" })],
  ["a key called __proto__", "track", () => track({ properties: JSON.parse('{"__proto__":{"a":1},"b":1}') })],
  ["a key with a point", "track", () => track({ properties: { "a.b": 1 } })],
  ["half a surrogate pair", "track", () => track({ properties: { a: "\ud800" } })],
  ["characters of two bytes and more", "track", () => track({ properties: { schlüssel: "né \u{1f600} \u2028" } })],
  ["minus zero", "track", () => track({ properties: { a: -0 } })],
  ["a number beyond 2^53", "track", () => track({ properties: { a: 2 ** 60 } })],
  ["20,000 characters of two bytes", "track", () => track({ properties: { a: "é".repeat(20_000) } })],
  ["a call of 32,000 bytes", "track", () => track({ properties: { a: "x".repeat(32_000) } })],
];

function fail(): never {
  throw new Error("CANARY");
}

export const ODD_CALLS: readonly OddCall[] = [...PLACED, ...ALONE.map(([name, type, make]) => ({ name, type, make }))];
