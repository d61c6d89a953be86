// Checksums of data that leaves the file to be sent: a broken disk may return other bytes than were written, and SQLite
// has no checksums of its pages. One number covers the contents of a message, the delivery and its lane. It detects
// accidents, not forgery. Each step is reversible, so a single changed byte always changes the sum.

export interface MessageContent {
  readonly source: string;
  readonly messageId: string;
  readonly type: string;
  readonly body: Uint8Array;
}

/** The checksum of the contents of a message: 32 bits, unsigned. */
export function contentSum({ source, messageId, type, body }: MessageContent): number {
  return addBytes(addText(addText(addText(SEED, source), messageId), type), body);
}

/** The checksum of a delivery; `content` is the checksum of the contents of its message. */
export function deliverySum(content: number, id: number, lane: string): number {
  return addText(addNumber(content, id), lane);
}

/** The checksum of texts in order. Each step takes two characters, since the texts may be long. */
export function textsSum(texts: readonly string[]): number {
  return texts.reduce(addLongText, SEED);
}

function addLongText(seed: number, text: string): number {
  let sum = seed ^ text.length;
  for (let at = 0; at < text.length - 1; at += 2)
    sum = addWord(sum, text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
  if (text.length % 2 === 1) sum = addWord(sum, text.charCodeAt(text.length - 1));
  return finish(sum);
}

const SEED = 0x9747b28c;
const WORD_FACTOR = 0x85ebca6b;
const LAST_FACTOR = 0xc2b2ae35;
const TWO_TO_32 = 0x1_0000_0000;

/** Four bytes per step: one byte per step would take longer than writing the row. */
function addBytes(seed: number, bytes: Uint8Array): number {
  const words = bytes.length - (bytes.length % 4);
  let sum = seed ^ bytes.length;
  for (let at = 0; at < words; at += 4) {
    sum = addWord(
      sum,
      byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8) | (byteAt(bytes, at + 2) << 16) | (byteAt(bytes, at + 3) << 24),
    );
  }
  for (let at = words; at < bytes.length; at += 1) sum = addWord(sum, byteAt(bytes, at));
  return finish(sum);
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function addText(seed: number, text: string): number {
  let sum = seed ^ text.length;
  for (let at = 0; at < text.length; at += 1) sum = addWord(sum, text.charCodeAt(at));
  return finish(sum);
}

function addNumber(seed: number, value: number): number {
  return finish(addWord(addWord(seed, value % TWO_TO_32), Math.floor(value / TWO_TO_32)));
}

function addWord(sum: number, word: number): number {
  const mixed = Math.imul(sum ^ word, WORD_FACTOR);
  return mixed ^ (mixed >>> 15);
}

function finish(sum: number): number {
  const mixed = Math.imul(sum ^ (sum >>> 16), LAST_FACTOR);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
