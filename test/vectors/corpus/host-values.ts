// The values of JavaScript that the corpus names, since JSON cannot hold them. Each is created again for each case.

/** Makes the value that a case names. */
export function makeHostValue(name: string): unknown {
  const make = new Map(Object.entries(HOST_VALUES)).get(name);
  if (make === undefined) throw new Error(`unknown value: ${name}`);
  return make();
}

class Plan {
  a = 1;
}

class Hidden {
  readonly #secret = "secret";
  get secret(): string {
    return this.#secret;
  }
}

class Text extends String {}
class List extends Array<unknown> {}

/** By the name that the corpus gives. */
export const HOST_VALUES: Readonly<Record<string, () => unknown>> = {
  bigint: () => 10n,
  NaN: () => NaN,
  Infinity: () => Infinity,
  "minus Infinity": () => -Infinity,
  "minus zero": () => -0,
  undefined: () => undefined,
  null: () => null,
  "a text": () => "text",
  "a symbol": () => Symbol("s"),
  "a function": () => () => 1,
  "a class": () => Plan,
  "an invalid Date": () => new Date(NaN),
  "a Date": () => new Date("2026-01-31T12:00:00Z"),
  "a Date at 8.64e15": () => new Date(8.64e15),
  "a Date at -8.64e15": () => new Date(-8.64e15),
  "a Map": () => new Map([["a", 1]]),
  "a Set": () => new Set([1]),
  "a WeakMap": () => new WeakMap(),
  "a RegExp": () => /a/g,
  "an Error": () => new Error("CANARY"),
  "a Promise": () => Promise.resolve(1),
  "an ArrayBuffer": () => new ArrayBuffer(8),
  "a Buffer": () => Buffer.from([1, 2, 3]),
  "a Uint8Array": () => new Uint8Array([1, 2]),
  "a Float64Array with NaN": () => new Float64Array([1, NaN]),
  "a boxed text": () => Object("text"),
  "a boxed number": () => Object(1),
  "a boxed boolean": () => Object(true),
  "a subclass of String": () => new Text("text"),
  "a subclass of Array": () => List.from([1, 2]),
  "a URL": () => new URL("https://example.com/"),
  "a list of undefined, a function and a symbol": () => [undefined, () => 1, Symbol("s")],
  "a sparse list": () => [1, , 3],
  "a list with an extra key": () => Object.assign([1], { own: 2 }),
  "a list of 1,000,000": () => Array.from({ length: 1_000_000 }, () => 0),
  "40,000 references to one text": () => Array.from({ length: 40_000 }, () => LONG),
  "a circle": () => circle((self) => ({ self })),
  "a circle through a list": () => circle((self) => ({ list: [self] })),
  "the same object twice": () => ((shared) => ({ a: shared, b: shared }))({ n: 1 }),
  "a small graph that writes 2^40 leaves": () => graph(40, (inner) => ({ a: inner, b: inner })),
  "a small graph of lists that writes 2^60 leaves": () => graph(60, (inner) => [inner, inner]),
  "a getter": () => withGetter(() => "got"),
  "a getter that throws": () => withGetter(fail),
  "a getter that answers something else each time": () => {
    let asked = 0;
    return withGetter(() => (asked += 1));
  },
  "a proxy that lets everything through": () => new Proxy({ a: 1 }, {}),
  "a proxy whose keys throw": () => new Proxy({ a: 1 }, { ownKeys: fail }),
  "a proxy whose values throw": () => new Proxy({ a: 1 }, { get: fail }),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "a toJSON that throws": () => ({ a: 1, toJSON: fail }),
  "a toJSON that answers undefined": () => ({ a: 1, toJSON: () => undefined }),
  "a toJSON that answers a text": () => ({ a: 1, toJSON: () => "written" }),
  "a toJSON that answers a bigint": () => ({ toJSON: () => 10n }),
  "a toJSON that answers NaN": () => ({ toJSON: () => NaN }),
  "a toJSON that answers 100 levels": () => ({ toJSON: () => graph(100, (inner) => [inner]) }),
  "a toJSON that answers a megabyte": () => ({ toJSON: () => "x".repeat(1_048_576) }),
  "a toJSON that answers its own object": () => ({
    a: 1,
    toJSON() {
      return this;
    },
  }),
  "an instance of a class": () => new Plan(),
  "an instance of a class with a private field and a getter": () => new Hidden(),
  "an object without a prototype": () => Object.assign(Object.create(null), { a: 1 }),
  "globalThis-like nesting of null prototypes": () =>
    Object.assign(Object.create(null), { a: Object.assign(Object.create(null), { b: 1 }) }),
  "a frozen object": () => Object.freeze({ a: 1 }),
  "an object that is changed after the call": () => ({ a: 1 }),
  "an object with a symbol for a key": () => ({ a: 1, [Symbol("s")]: 2 }),
  "an object with a hidden field": () => Object.defineProperty({ a: 1 }, "hidden", { value: 2 }),
  "an object with inherited fields": () => Object.assign(Object.create({ inherited: 2 }), { a: 1 }),
  arguments: () =>
    (function (..._: readonly number[]) {
      // eslint-disable-next-line prefer-rest-params
      return arguments;
    })(1, 2),
  "a call without a prototype": () => Object.assign(Object.create(null), CALL),
  "a frozen call": () => Object.freeze({ ...CALL }),
  "a call that is changed after the call": () => ({ ...CALL }),
  "a call that writes itself as something small": () => ({ ...CALL, toJSON: () => ({}) }),
  "a call with getters": () =>
    Object.defineProperty({ ...CALL }, "userId", { enumerable: true, get: () => CALL.userId }),
};

const CALL = { type: "track", userId: "u1", event: "e" };
const LONG = "x".repeat(1_000_000);

function fail(): never {
  throw new Error("CANARY");
}

function withGetter(get: () => unknown): unknown {
  return Object.defineProperty({}, "x", { enumerable: true, get });
}

function circle(wrap: (self: unknown) => Record<string, unknown>): unknown {
  const value: Record<string, unknown> = {};
  return Object.assign(value, wrap(value));
}

function graph(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}
