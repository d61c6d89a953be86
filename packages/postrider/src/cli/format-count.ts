// Writes counts as text for people.

/** `12,345`; a dash for a value that is not a number. */
export function formatCount(value: unknown): string {
  return typeof value === "number" ? String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",") : "-";
}

/** `1 delivery`, `12,345 deliveries`; `plural` is `singular` with an s if absent. */
export function countOf(count: unknown, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
