// Who counts as one caller when only an address is known of them: an IPv4 address, or the half of an IPv6 address that
// its network gives out. Loopback counts as nobody: behind it stands a proxy, and so everyone (decision: limits on
// callers).

/** The caller behind an address as the socket tells it; undefined where there is no one to count. */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined || address === "::1") return undefined;
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 === undefined) return prefixOf(address);
  return ipv4.startsWith("127.") ? undefined : ipv4;
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
