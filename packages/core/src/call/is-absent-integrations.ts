// Decides whether the integrations of a call say nothing: absent, null, or the empty list as which PHP writes an empty
// map. A list with something in it was meant to say something, and is refused like any value that is no object.

export function isAbsentIntegrations(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
