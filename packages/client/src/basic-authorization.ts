// Writes the Authorization header of a source: its write key as user name, and no password.

/** Accepts a key of any characters: `btoa` alone accepts Latin-1 only. */
export function writeKeyAuthorization(writeKey: string): string {
  const bytes = new TextEncoder().encode(`${writeKey}:`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
