// Decides which addresses count as one caller: each IPv4 address, and all IPv6 addresses with the same first 64 bits
// (decision: limits on callers).

/** The network of an address; undefined if the address is unknown. */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  return /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? prefixOf(address);
}

/** The first four of the eight groups; `::` stands for the missing groups. */
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
