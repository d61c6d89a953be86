// An independent table of the addresses that may be reached: intervals over plain numbers, written from the
// special-purpose registries of IANA (RFC 6890 and its successors), without any code of the adapter.

type Family = "ipv4" | "ipv6";

export interface PlainAddress {
  readonly family: Family;
  readonly value: bigint;
}

interface Interval {
  readonly first: bigint;
  readonly last: bigint;
}

/** Not public, from 0.0.0.0 to 255.255.255.255. */
const CLOSED_IPV4: readonly Interval[] = [
  v4("0.0.0.0", 8),
  v4("10.0.0.0", 8),
  v4("100.64.0.0", 10),
  v4("127.0.0.0", 8),
  v4("168.63.129.16", 32),
  v4("169.254.0.0", 16),
  v4("172.16.0.0", 12),
  v4("192.0.0.0", 24),
  v4("192.0.2.0", 24),
  v4("192.31.196.0", 24),
  v4("192.52.193.0", 24),
  v4("192.88.99.0", 24),
  v4("192.168.0.0", 16),
  v4("192.175.48.0", 24),
  v4("198.18.0.0", 15),
  v4("198.51.100.0", 24),
  v4("203.0.113.0", 24),
  v4("224.0.0.0", 4),
  v4("240.0.0.0", 4),
];

/** All that is assigned as global unicast. */
const OPEN_IPV6 = v6(0x2000_0000n << 96n, 3);

/** The ranges in it that are not public. */
const CLOSED_IPV6: readonly Interval[] = [
  v6(0x2001_0000n << 96n, 23),
  v6(0x2001_0db8n << 96n, 32),
  v6(0x2002_0000n << 96n, 16),
  v6(0x2620_004f_8000n << 80n, 48),
  v6(0x3fff_0000n << 96n, 20),
];

const MAPPED = 0xffffn;
const NAT64 = 0x64_ff9b_0000_0000_0000_0000n;

/** Another machine on each machine or link: unspecified, loopback, of a link. */
const LOCAL_IPV4: readonly Interval[] = [v4("0.0.0.0", 8), v4("127.0.0.0", 8), v4("169.254.0.0", 16)];

/** Special ranges of IPv6 outside of 2000::/3: not public; their edges are tested. */
const FURTHER_IPV6: readonly Interval[] = [
  v6(0n, 96),
  v6(MAPPED << 32n, 96),
  v6(MAPPED << 48n, 96),
  v6(0x64_ff9bn << 96n, 96),
  v6(0x64_ff9b_0001n << 80n, 48),
  v6(0x0100n << 112n, 64),
  v6((0x0100n << 112n) | (1n << 64n), 64),
  v6(0x5f00n << 112n, 16),
  v6(0xfc00n << 112n, 7),
  v6(0xfe80n << 112n, 10),
  v6(0xfec0n << 112n, 10),
  v6(0xff00n << 112n, 8),
];

/** The first and the last address of every range. */
export const EDGES: Readonly<Record<Family, readonly bigint[]>> = {
  ipv4: edgesOf(CLOSED_IPV4),
  ipv6: edgesOf([OPEN_IPV6, ...CLOSED_IPV6, ...FURTHER_IPV6]),
};

/** Whether delivery may reach it by default. */
export function isOpen({ family, value }: PlainAddress): boolean {
  if (family === "ipv4") return !isWithin(value, CLOSED_IPV4);
  if (value >> 32n === MAPPED || value >> 32n === NAT64) return isOpen({ family: "ipv4", value: value & 0xffff_ffffn });
  return isWithin(value, [OPEN_IPV6]) && !isWithin(value, CLOSED_IPV6) && !isIsatap(value);
}

/** Whether a range of all of IPv4 in `allow` contains it: one of IPv4, mapped, or translated by NAT64 to another machine. */
export function isOfIpv4({ family, value }: PlainAddress): boolean {
  if (family === "ipv4" || value >> 32n === MAPPED) return true;
  return value >> 32n === NAT64 && !isWithin(value & 0xffff_ffffn, LOCAL_IPV4);
}

/** The text of an address, in the long form, which is unique and easy to write. */
export function textOf({ family, value }: PlainAddress): string {
  if (family === "ipv4") return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
  return [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16)).join(":");
}

/** The middle of the interface's part is 0000:5efe or 0200:5efe. */
function isIsatap(value: bigint): boolean {
  const mark = (value >> 32n) & 0xffff_ffffn;
  return mark === 0x0000_5efen || mark === 0x0200_5efen;
}

function isWithin(value: bigint, intervals: readonly Interval[]): boolean {
  return intervals.some(({ first, last }) => value >= first && value <= last);
}

function edgesOf(intervals: readonly Interval[]): readonly bigint[] {
  return intervals.flatMap(({ first, last }) => [first, last]);
}

function v4(start: string, prefixLength: number): Interval {
  const first = start.split(".").reduce((value, part) => (value << 8n) | BigInt(part), 0n);
  return { first, last: first + (1n << BigInt(32 - prefixLength)) - 1n };
}

function v6(first: bigint, prefixLength: number): Interval {
  return { first, last: first + (1n << BigInt(128 - prefixLength)) - 1n };
}
