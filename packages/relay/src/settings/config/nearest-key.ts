// Finds the known key that a misspelt one was probably meant to be.

/** Longer keys are not compared, since the comparison takes the product of both lengths. */
const MAX_KEY_LENGTH = 64;
/** Keys that differ in more places than this part of their length are not taken for each other. */
const MAX_DIFFERENCE = 0.34;
/** A key of fewer characters is not looked for within others. */
const MIN_PART_LENGTH = 5;

/**
 * The known key that contains `key`, the shortest if several end with it; or that needs the fewest edits, letters in
 * another case not counted; undefined if none is near.
 */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  if (key.length > MAX_KEY_LENGTH) return undefined;
  const longer = known.filter((other) => isPart(key, other));
  if (longer.length === 1) return longer[0];
  const ending = longer.filter((other) => other.toLowerCase().endsWith(key.toLowerCase()));
  if (ending.length > 0) return ending.toSorted((first, second) => first.length - second.length)[0];
  const [nearest] = known
    .map((other) => ({ other, edits: editsBetween(key.toLowerCase(), other.toLowerCase()) }))
    .filter(({ other, edits }) => edits <= Math.max(key.length, other.length) * MAX_DIFFERENCE)
    .toSorted((first, second) => first.edits - second.edits);
  return nearest?.other;
}

/** `secret` is a part of `sharedSecret`. */
function isPart(key: string, other: string): boolean {
  return key.length >= MIN_PART_LENGTH && other.toLowerCase().includes(key.toLowerCase());
}

/** The number of characters to insert, remove or replace, or of neighbours to swap (optimal string alignment distance). */
function editsBetween(first: string, second: string): number {
  let secondLastRow: readonly number[] = [];
  let lastRow: readonly number[] = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let row = 1; row <= first.length; row += 1) {
    const newRow = [row];
    for (let column = 1; column <= second.length; column += 1) {
      const isSame = first[row - 1] === second[column - 1];
      const isSwapped = first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1];
      newRow.push(
        Math.min(
          at(lastRow, column) + 1,
          at(newRow, column - 1) + 1,
          at(lastRow, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(secondLastRow, column - 2) + 1 : Infinity,
        ),
      );
    }
    [secondLastRow, lastRow] = [lastRow, newRow];
  }
  return at(lastRow, second.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
