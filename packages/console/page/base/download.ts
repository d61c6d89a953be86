// Gives a person a text as a file, made in the browser; and rows as CSV (RFC 4180), for a spreadsheet.

export function download(text: string, name: string, type: "application/json" | "text/csv"): void {
  const link = Object.assign(document.createElement("a"), {
    href: URL.createObjectURL(new Blob([text], { type })),
    download: name,
  });
  link.click();
  URL.revokeObjectURL(link.href);
}

export function downloadJson(value: unknown, name: string): void {
  download(`${JSON.stringify(value, null, 2)}\n`, name, "application/json");
}

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

/** A spreadsheet would run a text that begins like a formula. A number is no formula. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
}
