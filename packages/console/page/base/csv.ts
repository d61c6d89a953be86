// Rows as CSV (RFC 4180), for a spreadsheet.

/** A line of the keys of the first row, and a line for each row; empty without rows. Null is an empty cell. */
export function csvOf(rows: readonly object[]): string {
  const [first] = rows;
  if (first === undefined) return "";
  const lines = [Object.keys(first), ...rows.map((row): unknown[] => Object.values(row))];
  return lines.map((cells) => `${cells.map(cellOf).join()}\r\n`).join("");
}

function cellOf(value: unknown): string {
  const text =
    value === null || value === undefined ? "" : harmless(typeof value === "string" ? value : JSON.stringify(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet would run a text that begins like a formula. A number is none. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
}
