// Decides the format of a list of members by its Content-Type (RFC 4180, RFC 7111: `header=absent`). A charset or a
// `header` with a value that is not supported is refused; other parameters are ignored.

export type MemberFormat = "ndjson" | "csv" | "csv-without-header";

export type MemberFormatResult =
  | { readonly kind: "ok"; readonly format: MemberFormat }
  /** A parameter of the Content-Type has a value that is not supported. */
  | { readonly kind: "refused"; readonly expected: string };

const CHARSETS: ReadonlySet<string> = new Set(["utf-8", "utf8", "us-ascii"]);

/** Reads the format from a Content-Type: CSV for text/csv; one JSON value in each line for any other type. */
export function readMemberFormat(contentType = ""): MemberFormatResult {
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim());
  const charset = valueOf(parameters, "charset");
  if (charset !== undefined && !CHARSETS.has(charset))
    return { kind: "refused", expected: "charset=utf-8, or no charset" };
  if (type.toLowerCase() !== "text/csv") return { kind: "ok", format: "ndjson" };
  const header = valueOf(parameters, "header") ?? "present";
  if (header === "present") return { kind: "ok", format: "csv" };
  if (header === "absent") return { kind: "ok", format: "csv-without-header" };
  return { kind: "refused", expected: "header=present or header=absent" };
}

/** The value of a parameter, in lower case and without quotes. */
function valueOf(parameters: readonly string[], name: string): string | undefined {
  const found = parameters.find((parameter) => parameter.toLowerCase().startsWith(`${name}=`));
  return found
    ?.slice(name.length + 1)
    .replaceAll('"', "")
    .toLowerCase();
}
