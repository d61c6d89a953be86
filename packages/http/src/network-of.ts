// Which addresses count as one caller: an IPv4 address alone, or the half of an IPv6 address that its network gives out
// (decision: limits on callers).

/** The caller behind an address; undefined where none is known. */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  return /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? prefixOf(address);
}

/** The first four of the eight groups; one `::` stands for as many as are missing. */
function prefixOf(address: string): string {
  const [head = "", tail = ""] = address.split("::");
  const before = groupsOf(head);
  const after = groupsOf(tail);
  const missing = Array.from({ length: Math.max(8 - before.length - after.length, 0) }, () => "0");
  return [...before, ...missing, ...after].slice(0, 4).join(":");
}

function groupsOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(":");
}
