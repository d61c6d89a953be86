// Writes the Authorization header that says whose calls these are: the write key, and no password.

/** For any text: `btoa` alone knows no letter beyond Latin-1. */
export function basicAuthorization(writeKey: string): string {
  const bytes = new TextEncoder().encode(`${writeKey}:`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
