// Draws addresses to judge: a quarter at the edges of ranges or next to them, a quarter that contain an IPv4 address in
// one of the known ways, the rest from anywhere. The same seed draws the same ones.

import type { Random } from "@postrider/core";
import { EDGES, type PlainAddress } from "./reference-table.js";

const IPV6_MAX = (1n << 128n) - 1n;
const IPV4_MAX = (1n << 32n) - 1n;

/** Ways for an IPv6 address to hold one of IPv4. */
const EMBEDDINGS: readonly ((ipv4: bigint, rest: bigint) => bigint)[] = [
  // mapped, compatible, SIIT
  (ipv4) => (0xffffn << 32n) | ipv4,
  (ipv4) => ipv4,
  (ipv4) => (0xffffn << 48n) | ipv4,
  // NAT64 under its well-known prefix, and under the local one
  (ipv4) => (0x64_ff9bn << 96n) | ipv4,
  (ipv4, rest) => (0x64_ff9b_0001n << 80n) | ((rest & 0xffff_ffff_ffffn) << 32n) | ipv4,
  // 6to4
  (ipv4, rest) => (0x2002n << 112n) | (ipv4 << 80n) | (rest & ((1n << 80n) - 1n)),
  // Teredo, which inverts the bits of the address
  (ipv4, rest) => (0x2001_0000n << 96n) | ((rest & ((1n << 64n) - 1n)) << 32n) | (ipv4 ^ IPV4_MAX),
  // ISATAP, under a global prefix and under the local one
  (ipv4, rest) => (0x2a00n << 112n) | ((rest & 0xffff_ffff_ffffn) << 64n) | (0x5efen << 32n) | ipv4,
  (ipv4, rest) => (0x2a00n << 112n) | ((rest & 0xffff_ffff_ffffn) << 64n) | (0x0200_5efen << 32n) | ipv4,
  (ipv4) => (0xfe80n << 112n) | (0x5efen << 32n) | ipv4,
];

/** One address after the other. */
export function* drawAddresses(count: number, random: Random): Generator<PlainAddress> {
  for (let index = 0; index < count; index += 1) yield drawOne(index % 4, random);
}

function drawOne(quarter: number, random: Random): PlainAddress {
  switch (quarter) {
    case 0:
      return drawEdge(random);
    case 1:
      return { family: "ipv6", value: embed(drawInteresting(random), random) };
    case 2:
      return { family: "ipv4", value: BigInt(Math.floor(random.unit() * 2 ** 32)) };
    default:
      return { family: "ipv6", value: drawIpv6(random) };
  }
}

function drawEdge(random: Random): PlainAddress {
  const family = random.unit() < 0.5 ? "ipv4" : "ipv6";
  const beside = BigInt(Math.floor(random.unit() * 3) - 1);
  const value = pick(EDGES[family], random) + beside;
  const max = family === "ipv4" ? IPV4_MAX : IPV6_MAX;
  return { family, value: value < 0n ? 0n : value > max ? max : value };
}

/** An IPv4 address, half of the time one at an edge. */
function drawInteresting(random: Random): bigint {
  return random.unit() < 0.5 ? pick(EDGES.ipv4, random) : BigInt(Math.floor(random.unit() * 2 ** 32));
}

function embed(ipv4: bigint, random: Random): bigint {
  return pick(EMBEDDINGS, random)(ipv4, drawBits(random));
}

/** From anywhere, but mostly from assigned ranges. */
function drawIpv6(random: Random): bigint {
  const bits = drawBits(random);
  return random.unit() < 0.8 ? (bits >> 3n) | (1n << 125n) : bits;
}

function drawBits(random: Random): bigint {
  return random.bytes(16).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function pick<T>(choices: readonly T[], random: Random): T {
  return choices[Math.floor(random.unit() * choices.length)]!;
}
