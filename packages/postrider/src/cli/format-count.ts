// Writes a count as text for people.

/** `12,345`; a dash for a value that is not a number. */
export function formatCount(value: unknown): string {
  return typeof value === "number" ? String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",") : "-";
}
