// Writes a duration for the sentence of a failed wish: exact below a second, rounded to a tenth of its unit above.

const UNITS = [
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1_000],
] as const;

/** `1.4 h`, `25 min`, `37 ms`. */
export function formatMs(ms: number): string {
  // Minutes are easier to compare than fractions of an hour.
  const unit = UNITS.find(([name, unitMs]) => ms >= (name === "h" ? 2 : 1) * unitMs);
  return unit === undefined ? `${String(ms)} ms` : `${String(Math.round((ms / unit[1]) * 10) / 10)} ${unit[0]}`;
}
