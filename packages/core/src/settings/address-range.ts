// Decides whether a text is an IP address or a range of them (`10.0.0.0/8`, `fd00::/8`), for each setting that takes ranges. Checks only
// the form; the effect of a range is decided where connections are made or accepted.

/** The bits before the IPv4 address in a mapped address, `::ffff:10.0.0.1`. */
const MAPPED_BITS = 96;

/**
 * True for `ADDRESS` and `ADDRESS/BITS`: IPv4 in four decimal parts, IPv6 in any of its forms but without a zone. A range of
 * mapped addresses is a range of IPv4, such as `::ffff:10.0.0.0/104`, so it has at least 96 bits.
 */
export function isAddressRange(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  if (rest.length > 0) return false;
  if (isIpv4(address)) return isPrefix(bits, 0, 32);
  const groups = readIpv6(address);
  return groups !== undefined && isPrefix(bits, isMapped(groups) ? MAPPED_BITS : 0, 128);
}

function isPrefix(bits: string | undefined, least: number, most: number): boolean {
  return bits === undefined || (isDecimal(bits) && Number(bits) >= least && Number(bits) <= most);
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => isDecimal(part) && Number(part) <= 255);
}

/** A number without leading zeros, since some parsers read `010` as eight. */
function isDecimal(text: string): boolean {
  return /^(0|[1-9]\d{0,2})$/.test(text);
}

function isMapped(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

/** The eight groups of an address. One `::` may stand for one or more groups, and a dotted IPv4 address for the last two. */
function readIpv6(address: string): readonly number[] | undefined {
  const [head = "", tail, ...rest] = address.split("::");
  const headGroups = readGroups(head);
  if (headGroups === undefined || rest.length > 0) return undefined;
  if (tail === undefined) return headGroups.length === 8 ? headGroups : undefined;
  const tailGroups = readGroups(tail);
  // Only the end of the whole address may be dotted.
  if (tailGroups === undefined || head.includes(".") || headGroups.length + tailGroups.length > 7) return undefined;
  return [...headGroups, ...Array<number>(8 - headGroups.length - tailGroups.length).fill(0), ...tailGroups];
}

/** The groups of a part of the address; undefined if it is malformed. */
function readGroups(text: string): readonly number[] | undefined {
  if (text === "") return [];
  const groups = text.split(":");
  const lastGroup = text.slice(text.lastIndexOf(":") + 1);
  const dotted = isIpv4(lastGroup) ? DOTTED_GROUPS : [];
  const hex = dotted.length > 0 ? groups.slice(0, -1) : groups;
  if (!hex.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return [...hex.map((group) => Number.parseInt(group, 16)), ...dotted];
}

/** A dotted address stands for the last two groups, whose values decide nothing. */
const DOTTED_GROUPS: readonly number[] = [0, 0];
