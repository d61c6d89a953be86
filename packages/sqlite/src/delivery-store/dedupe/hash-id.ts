// Hashes a source and a message id under the key of the file, so that a caller that does not know the key cannot make
// ids collide. The hash is HalfSipHash-1-3 with 64 bits (github.com/veorq/SipHash) over characters, two per word. Equal
// hashes do not prove equal ids: the ids are compared too.

/** A hash of 64 bits, in two unsigned halves. */
export interface IdHash {
  readonly high: number;
  readonly low: number;
}

export type MessageIdHash = (source: string, messageId: string) => IdHash;

/** Creates the hash function for a key of 8 bytes. */
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
  b = rotated(b, 5) ^ a;
  a = rotated(a, 16);
  c = (c + d) | 0;
  d = rotated(d, 8) ^ c;
  a = (a + d) | 0;
  d = rotated(d, 7) ^ a;
  c = (c + b) | 0;
  state.a = a;
  state.b = rotated(b, 13) ^ c;
  state.c = rotated(c, 16);
  state.d = d;
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
