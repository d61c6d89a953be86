// Decides whether a text is an IP address or a range of them (`10.0.0.0/8`, `fd00::/8`). Checks only the form; what a
// range allows is decided where connections are made.

/** True for `ADDRESS` and `ADDRESS/BITS`, IPv4 in four decimal parts, IPv6 in any of its forms but without a zone. */
export function isRangeText(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  if (rest.length > 0) return false;
  if (isIpv4(address)) return isPrefix(bits, 32);
  return isIpv6(address) && isPrefix(bits, 128);
}

function isPrefix(bits: string | undefined, most: number): boolean {
  return bits === undefined || (isDecimal(bits) && Number(bits) <= most);
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => isDecimal(part) && Number(part) <= 255);
}

/** No leading zeros: some parsers read `010` as eight. */
function isDecimal(text: string): boolean {
  return /^(0|[1-9]\d{0,2})$/.test(text);
}

/** Eight groups; one `::` may replace one or more of them, a dotted IPv4 the last two. */
function isIpv6(text: string): boolean {
  const [head = "", tail, ...rest] = text.split("::");
  if (rest.length > 0) return false;
  if (tail === undefined) return groupCount(head) === 8;
  // Only the end of the whole address may be dotted.
  return !head.includes(".") && (groupCount(head) ?? 8) + (groupCount(tail) ?? 8) < 8;
}

/** How many groups a part of the address has; undefined if it is malformed. */
function groupCount(run: string): number | undefined {
  if (run === "") return 0;
  const groups = run.split(":");
  const last = groups.at(-1) ?? "";
  const hex = isIpv4(last) ? groups.slice(0, -1) : groups;
  if (!hex.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return isIpv4(last) ? groups.length + 1 : groups.length;
}
