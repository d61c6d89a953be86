// Counts the work for a request between two returns to the event loop, by its use of the platform: JSON, UTF-8 and regular
// expressions. Parsed values are watched too, so that repeated reads of them are counted.

/** What was done in one turn of the loop, or in all of them. */
export interface Work {
  /** Units of text that became values; of a long string, only the units at its beginning. */
  readonly parsed: number;
  /** Units of text that values became. */
  readonly written: number;
  /** Units of text that became bytes: of messages, and of nothing else. */
  readonly encoded: number;
  /** Units of text that regular expressions looked at, as measuring does. */
  readonly measured: number;
  /** What was read of parsed values: a unit for each value, and those of its text. */
  readonly read: number;
  /** Items read of the list of calls. */
  readonly calls: number;
  /** Destinations that routing looked at, and deliveries that the store was handed. */
  readonly destinations: number;
  readonly deliveries: number;
}

export type WorkName = keyof Work;

export interface WorkWatch {
  /** Counts work that cannot be detected here. */
  add(name: WorkName, count: number): void;
  /** Ends the count, and returns the work of each turn. */
  stop(): readonly Work[];
}

/** Watches all of the process until it is stopped; nothing else may run meanwhile. */
export function watchWork(): WorkWatch {
  const turns: Work[] = [];
  let turn = noWork();
  const add = (name: WorkName, count: number): void => void (turn[name] += count);
  const restore = watchPlatform(add);
  let next = setImmediate(endTurn);
  return {
    add,
    stop: () => {
      clearImmediate(next);
      for (const undo of restore.splice(0)) undo();
      return [...turns, turn];
    },
  };

  function endTurn(): void {
    turns.push(turn);
    turn = noWork();
    next = setImmediate(endTurn);
  }
}

/** Units of a string that are counted: a parser takes it in one go, and as fast as it can be copied. */
export const LONG_STRING = 1_024;
const LONG_STRINGS = new RegExp(`("(?:[^"\\\\]|\\\\.){${String(LONG_STRING)}})(?:[^"\\\\]|\\\\.)+`, "g");

type Counts = { -readonly [Name in WorkName]: Work[Name] };

function noWork(): Counts {
  return { parsed: 0, written: 0, encoded: 0, measured: 0, read: 0, calls: 0, destinations: 0, deliveries: 0 };
}

type Add = WorkWatch["add"];
type Method = (this: unknown, ...given: unknown[]) => unknown;

function watchPlatform(add: Add): (() => void)[] {
  return [
    replace(JSON, "parse", (given, value) => {
      add("parsed", lengthOf(given) > LONG_STRING ? String(given).replace(LONG_STRINGS, "$1").length : lengthOf(given));
      return watched(value, add);
    }),
    replace(JSON, "stringify", (_, text) => {
      add("written", lengthOf(text));
      return text;
    }),
    ...(
      [
        [TextEncoder.prototype, "encode", "encoded"],
        [TextEncoder.prototype, "encodeInto", "encoded"],
        [RegExp.prototype, "test", "measured"],
      ] as const
    ).map(([owner, method, name]) =>
      replace(owner, method, (given, answer) => {
        add(name, lengthOf(given));
        return answer;
      }),
    ),
  ];
}

function lengthOf(text: unknown): number {
  return typeof text === "string" ? text.length : 0;
}

/** `see` gets the first argument and the result, and returns the result to use. */
function replace(owner: object, name: string, see: (given: unknown, answer: unknown) => unknown): () => void {
  const method = Reflect.get(owner, name) as Method;
  Reflect.set(owner, name, function (this: unknown, ...given: unknown[]) {
    return see(given[0], method.apply(this, given));
  });
  return () => void Reflect.set(owner, name, method);
}

/** The value behind each watched one. */
const originals = new WeakMap<object, object>();

/** The same value, with its reads counted. A value that is watched already, as a part of another, is counted once. */
function watched(given: unknown, add: Add, name?: string): unknown {
  if (typeof given !== "object" || given === null) return given;
  const value = originals.get(given) ?? given;
  const parts = new Map<unknown, unknown>();
  const isCalls = name === "batch" && Array.isArray(value);
  const proxy = new Proxy(value, {
    get: (target, key, self) => {
      const part: unknown = Reflect.get(target, key, self);
      add("read", 1 + lengthOf(part));
      if (isCalls && INDEX.exec(String(key)) !== null) add("calls", 1);
      if (typeof part !== "object" || part === null) return part;
      if (!parts.has(part)) parts.set(part, watched(part, add, String(key)));
      return parts.get(part);
    },
  });
  originals.set(proxy, value);
  return proxy;
}

const INDEX = /^\d+$/;
