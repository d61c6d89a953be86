// A hash table in memory that tells in which ranges of 64 numbers a message id may be. It may name a range that does not contain the
// id, but never misses a range that does. It grows by adding parts, each up to twice as large as the last, so that no entry is ever
// moved; the oldest parts are dropped.

interface IdTable {
  /** Numbers are added in ascending order. */
  add(hash: IdHash, number: number): void;
  /** The ranges that may contain the id, each as its first number; ranges of newer parts come first. */
  find(hash: IdHash): readonly number[];
  /** Drops the parts that have no number from `below` on. */
  forget(below: number): void;
  /** The number of slots of all parts together; each slot takes four bytes. */
  slots(): number;
}

/** The number of ids in a range. */
export const RANGE_IDS = 64;
const RANGE_BITS = 6;
const FIRST_SLOTS = 16_384;
const MAX_SLOTS = 4_194_304;
/** The numbers that a part can have: a slot names one of 65,536 ranges. */
const MAX_NUMBERS = 4_194_304;
/** At this share of used slots a part counts as full: with a higher share, look-ups would take too long. */
const MAX_FILL = 0.75;

export function createIdTable(): IdTable {
  /** The newest first. */
  let parts: Part[] = [];

  function roomFor(number: number): Part {
    const [newest] = parts;
    if (newest !== undefined && hasRoom(newest, number)) return newest;
    const slots = newest === undefined ? FIRST_SLOTS : Math.min(2 * newest.slots.length, MAX_SLOTS);
    const part = { slots: new Uint32Array(slots), first: number, last: number, usedSlots: 0 };
    parts.unshift(part);
    return part;
  }

  return {
    add: (hash, number): void => {
      put(roomFor(number), hash, number);
    },
    find: (hash): readonly number[] => {
      let ranges: number[] | undefined;
      for (const part of parts) ranges = findIn(part, hash, ranges);
      return ranges ?? NO_RANGES;
    },
    forget: (below): void => {
      if (parts.some(({ last }) => last < below)) parts = parts.filter(({ last }) => last >= below);
    },
    slots: () => parts.reduce((sum, { slots }) => sum + slots.length, 0),
  };
}

const NO_RANGES: readonly number[] = [];

interface Part {
  /**
   * A slot is 0 if it is free; otherwise it has a fingerprint of 16 bits, which is never 0, and the index of a range in
   * 16 bits.
   */
  readonly slots: Uint32Array;
  readonly first: number;
  last: number;
  usedSlots: number;
}

function hasRoom({ slots, first, usedSlots }: Part, number: number): boolean {
  return usedSlots < slots.length * MAX_FILL && number - first < MAX_NUMBERS;
}

function put(part: Part, hash: IdHash, number: number): void {
  const { slots, first } = part;
  const mask = slots.length - 1;
  let at = hash.low & mask;
  while (slots[at] !== 0) at = (at + 1) & mask;
  slots[at] = (fingerprint(hash) << 16) | ((number - first) >>> RANGE_BITS);
  part.usedSlots += 1;
  part.last = number;
}

/**
 * Adds the ranges of a part to those of newer parts. Hits in one range mostly follow one another; the range is then
 * added once.
 */
function findIn({ slots, first }: Part, hash: IdHash, newerRanges: number[] | undefined): number[] | undefined {
  const mask = slots.length - 1;
  const target = fingerprint(hash);
  let ranges = newerRanges;
  for (let at = hash.low & mask; slots[at] !== 0; at = (at + 1) & mask) {
    const slot = slots[at] ?? 0;
    const range = first + (slot & 0xffff) * RANGE_IDS;
    if (slot >>> 16 !== target || ranges?.at(-1) === range) continue;
    ranges ??= [];
    ranges.push(range);
  }
  return ranges;
}

function fingerprint({ high }: IdHash): number {
  return high >>> 16 || 1;
}

/** A hash of 64 bits, in two unsigned halves. */
export interface IdHash {
  readonly high: number;
  readonly low: number;
}

export type MessageIdHash = (source: string, messageId: string) => IdHash;

/**
 * Creates the hash function for a key of 8 bytes. A caller that does not know the key cannot make ids collide. The hash is
 * HalfSipHash-1-3 with 64 bits (github.com/veorq/SipHash) over characters, two per word. Equal hashes do not prove equal
 * ids: the ids are compared too.
 */
export function createMessageIdHash(key: Uint8Array): MessageIdHash {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  const [key0, key1] = [view.getInt32(0, true), view.getInt32(4, true)];
  const state: State = { a: 0, b: 0, c: 0, d: 0 };
  return (source, messageId) => {
    state.a = key0;
    state.b = key1 ^ 0xee;
    state.c = 0x6c796765 ^ key0;
    state.d = 0x74656462 ^ key1;
    // The lengths are hashed too, since without them two different pairs could have the same hash.
    addWord(state, source.length);
    addText(state, source);
    addText(state, messageId);
    addWord(state, messageId.length);
    return finish(state);
  };
}

interface State {
  a: number;
  b: number;
  c: number;
  d: number;
}

function addText(state: State, text: string): void {
  let at = 0;
  for (; at < text.length - 1; at += 2) addWord(state, text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
  if (at < text.length) addWord(state, text.charCodeAt(at));
}

function addWord(state: State, word: number): void {
  state.d ^= word;
  mix(state);
  state.a ^= word;
}

const LAST_ROUNDS = 3;

function finish(state: State): IdHash {
  state.c ^= 0xee;
  for (let round = 0; round < LAST_ROUNDS; round += 1) mix(state);
  const low = (state.b ^ state.d) >>> 0;
  state.b ^= 0xdd;
  for (let round = 0; round < LAST_ROUNDS; round += 1) mix(state);
  return { high: (state.b ^ state.d) >>> 0, low };
}

/** One round of HalfSipHash. */
function mix(state: State): void {
  let { a, b, c, d } = state;
  a = (a + b) | 0;
  b = rotateLeft(b, 5) ^ a;
  a = rotateLeft(a, 16);
  c = (c + d) | 0;
  d = rotateLeft(d, 8) ^ c;
  a = (a + d) | 0;
  d = rotateLeft(d, 7) ^ a;
  c = (c + b) | 0;
  state.a = a;
  state.b = rotateLeft(b, 13) ^ c;
  state.c = rotateLeft(c, 16);
  state.d = d;
}

function rotateLeft(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
