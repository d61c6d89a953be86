// Writes a duration for a person to read: in its two largest units, or in one below a minute.

/** An hour in milliseconds. */
export const HOUR_MS = 3_600_000;

const UNITS = [
  ["d", 86_400_000],
  ["h", HOUR_MS],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** `2 h 31 min`, `4.2 s`, `37 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${String(Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const first = UNITS.findIndex(([, unitMs]) => ms >= unitMs);
  const parts: string[] = [];
  let leftMs = ms;
  for (const [name, unitMs] of UNITS.slice(first, first + 2)) {
    parts.push(`${String(Math.floor(leftMs / unitMs))} ${name}`);
    leftMs %= unitMs;
  }
  return parts.join(" ");
}
