// How a list of members is written, by what its sender says of it.

export type MemberFormat = "ndjson" | "csv";

/** CSV only where it is called so; anything else is a JSON text in each line. */
export function formatOf(contentType: string | undefined): MemberFormat {
  return /^text\/csv\b/i.test(contentType?.trim() ?? "") ? "csv" : "ndjson";
}
