// Reads the parameters of the URL of a database that are for this program; the driver gets the URL without them.

/** The connections of one server: commits, claims and the questions of operators run side by side. */
const DEFAULT_CONNECTIONS = 10;

/** One for hints, one for a question that takes long, and one for commits and claims. */
const MIN_CONNECTIONS = 3;

/** A database has no use for more backends of one server. */
const MAX_CONNECTIONS = 100;

/** The URL for the driver, and what the parameters ask for. */
export interface DatabaseUrl {
  readonly kind: "ok";
  readonly connectionString: string;
  /** The most connections at once. */
  readonly connections: number;
  /** False where a pooler in transaction mode stands before the database. */
  readonly hints: boolean;
}

/** Reads `?connections=` and `?hints=`. The reason says in words which value one of them may have. */
export function readDatabaseUrl(text: string): DatabaseUrl | { readonly kind: "refused"; readonly reason: string } {
  const asked: DatabaseUrl = { kind: "ok", connectionString: text, connections: DEFAULT_CONNECTIONS, hints: true };
  if (!URL.canParse(text)) return asked;
  const url = new URL(text);
  const [connections, hints] = [url.searchParams.get("connections"), url.searchParams.get("hints")];
  if (connections === null && hints === null) return asked;
  const count = connections === null ? DEFAULT_CONNECTIONS : readCount(connections);
  if (count === undefined) {
    const bounds = `${String(MIN_CONNECTIONS)} to ${String(MAX_CONNECTIONS)}`;
    return {
      kind: "refused",
      reason: `connections is a whole number from ${bounds}, not ${JSON.stringify(connections)}`,
    };
  }
  if (hints !== null && hints !== "on" && hints !== "off")
    return { kind: "refused", reason: `hints is on or off, not ${JSON.stringify(hints)}` };
  url.searchParams.delete("connections");
  url.searchParams.delete("hints");
  return { kind: "ok", connectionString: url.href, connections: count, hints: hints !== "off" };
}

function readCount(text: string): number | undefined {
  const count = /^\d{1,3}$/u.test(text) ? Number(text) : 0;
  return count >= MIN_CONNECTIONS && count <= MAX_CONNECTIONS ? count : undefined;
}
