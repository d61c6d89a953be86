// Estimates the memory that a question or an answer keeps in use, by the bodies in it: exact sizes would cost more than the
// record itself.

const ROW_BYTES = 400;

/** An estimate of the bytes that a question to a port, or its answer, keeps in use. */
export function weightOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 16;
  const { accept, settle, deliveries, excerpt } = value as Readonly<Record<string, unknown>>;
  return ROW_BYTES + bodiesOf(accept) + bodiesOf(deliveries) + rowsOf(settle) + bytesOf(excerpt);
}

function bodiesOf(rows: unknown): number {
  if (!Array.isArray(rows)) return 0;
  return rows.reduce<number>((sum, row: { readonly body?: unknown }) => sum + ROW_BYTES + bytesOf(row.body), 0);
}

function rowsOf(rows: unknown): number {
  return Array.isArray(rows) ? rows.length * ROW_BYTES : 0;
}

function bytesOf(value: unknown): number {
  return value instanceof Uint8Array ? value.length : 0;
}
