// Finds the columns of the user id and the value from the first record of a CSV list. A first record that is no known
// header is an error, unless the upload says that it has no header: if the wrong column were read, all members of the
// audience could leave (decision: member lists).

export interface Columns {
  readonly userId: number;
  /** -1 if there is no column of values. */
  readonly value: number;
}

export type HeaderResult =
  { readonly kind: "ok"; readonly columns: Columns } | { readonly kind: "refused"; readonly expected: string };

/** How many characters of an unknown header the error shows. */
const MAX_SHOWN_LENGTH = 60;

/** The columns of a list without a header: only the first cell of each record is read. */
export const HEADERLESS_COLUMNS: Columns = { userId: 0, value: -1 };

const KNOWN = "a header with one column user_id, userId or userid and at most one column value, separated by commas";

/** The error for a list that is empty or has an unknown header. */
export const HEADER_EXPECTED: string = `${KNOWN} (if there is none, say so: Content-Type "text/csv; header=absent", or --no-header)`;

/** Finds the columns in the cells of the first record. The error shows `record`, cut and escaped. */
export function readHeader(cells: readonly string[], record: string): HeaderResult {
  const userIds = columnsOf(cells, isUserIdName);
  const values = columnsOf(cells, (name) => name.toLowerCase() === "value");
  const [userId] = userIds;
  if (userId === undefined || userIds.length > 1 || values.length > 1) {
    return { kind: "refused", expected: `${HEADER_EXPECTED}; found ${shown(record)}` };
  }
  return { kind: "ok", columns: { userId, value: values[0] ?? -1 } };
}

/** Whether the first cell of a record is a name of the column of user ids. */
export function looksLikeHeader([first = ""]: readonly string[]): boolean {
  return isUserIdName(first.trim());
}

function isUserIdName(name: string): boolean {
  return /^user_?id$/i.test(name);
}

function columnsOf(cells: readonly string[], isName: (name: string) => boolean): readonly number[] {
  return cells.flatMap((cell, at) => (isName(cell.trim()) ? [at] : []));
}

/** The record as a JSON text. Control and format characters are escaped, since a terminal might act upon them. */
function shown(record: string): string {
  const start = record.length > MAX_SHOWN_LENGTH ? `${record.slice(0, MAX_SHOWN_LENGTH)}…` : record;
  return JSON.stringify(start).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
