// Replaces private texts and numbers in a trace by stand-ins of the same shape: equal texts get equal stand-ins, of as many characters and
// bytes. They are numbered as they come and computed from nothing, so that no guess can be checked against them.

/** A range of characters that stand for each other. */
interface Alphabet {
  readonly from: number;
  readonly size: number;
}

const DIGITS: Alphabet = { from: 0x30, size: 10 };
const LETTERS: Alphabet = { from: 0x61, size: 26 };
/** Two, three and four bytes in UTF-8; each of these characters is its own normal form. */
const TWO_BYTES: Alphabet = { from: 0x3b1, size: 17 };
const THREE_BYTES: Alphabet = { from: 0x4e00, size: 4_096 };
const FOUR_BYTES: Alphabet = { from: 0x1f600, size: 64 };

/** The stand-ins of one trace. */
export interface StandIns {
  text(text: string): string;
  number(value: number): number;
}

/** Creates an empty set of stand-ins. */
export function createStandIns(): StandIns {
  const byText = new Map<string, string>();
  /** The number of texts of each shape. */
  const shapes = new Map<string, number>();

  function createStandIn(text: string): string {
    const shape = Array.from(text, (character) => standFor(character, alphabetOf(character), 0)).join("");
    const number = shapes.get(shape) ?? 0;
    shapes.set(shape, number + 1);
    return write(text, number);
  }

  return {
    text: (text) => {
      const standIn = byText.get(text) ?? createStandIn(text);
      byText.set(text, standIn);
      return standIn;
    },
    number: standInNumber,
  };
}

/** The `number`th text with the shape of this one. The last characters change first. */
function write(text: string, number: number): string {
  let remaining = number;
  const characters = Array.from(text)
    .reverse()
    .map((character) => {
      const alphabet = alphabetOf(character);
      const standIn = standFor(character, alphabet, remaining);
      if (alphabet !== undefined) remaining = Math.floor(remaining / alphabet.size);
      return standIn;
    });
  return characters.reverse().join("");
}

function standFor(character: string, alphabet: Alphabet | undefined, number: number): string {
  return alphabet === undefined ? character : String.fromCodePoint(alphabet.from + (number % alphabet.size));
}

/** Spaces, punctuation and control characters stand for themselves: their places matter, as in an instant or an address. */
function alphabetOf(character: string): Alphabet | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (/[0-9]/.test(character)) return DIGITS;
  if (/[a-z]/i.test(character)) return LETTERS;
  if (code < 0x80 || (code >= 0xd800 && code < 0xe000)) return undefined;
  if (code < 0x800) return TWO_BYTES;
  return code < 0x10000 ? THREE_BYTES : FOUR_BYTES;
}

/** A number that is as long when it is written: each digit but 0 is a 7. If that cannot be, 0. */
function standInNumber(value: number): number {
  const digits = String(value);
  const standIn = Number(digits.replace(/[1-9]/g, "7"));
  return String(standIn).length === digits.length ? standIn : 0;
}
