// Writes an instant of an incident as text, in UTC. The clock is never read.

/** The instant as `2026-01-01T00:00:00.000Z`. */
export function writeInstant(wallAt: number): string {
  return new Date(wallAt).toISOString();
}
