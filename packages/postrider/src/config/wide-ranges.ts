// Finds ranges of the settings of a server that have every address, so that the setting protects nothing.

import type { ServerSettings } from "@postrider/codec";
import type { ConfigWarning } from "./config-warning.js";

/** A warning for each such range of `network.allow` and of `trustedProxies`. */
export function wideRanges({ network, trustedProxies = [] }: ServerSettings): readonly ConfigWarning[] {
  return [
    ...network.allow.flatMap((range, index) =>
      warningOf(range, {
        path: `network.allow[${String(index)}]`,
        effect: "so deliveries may also reach this machine and private networks",
        change: "name only the ranges of the receivers, such as 10.0.0.0/8",
      }),
    ),
    ...trustedProxies.flatMap((range, index) =>
      warningOf(range, {
        path: `trustedProxies[${String(index)}]`,
        effect: "so every caller can give any address as its address",
        change: "name only the addresses of the proxies",
      }),
    ),
  ];
}

function warningOf(
  range: string,
  { path, effect, change }: Pick<ConfigWarning, "path" | "effect" | "change">,
): readonly ConfigWarning[] {
  const family = familyOf(range);
  if (family === undefined) return [];
  return [{ code: "every-address", path, effect: `it has every ${family} address, ${effect}`, change }];
}

/** All mapped IPv4 addresses. */
const MAPPED = /^(?:::|(?:0{1,4}:){5})ffff:.+\/96$/i;

/** Whose addresses the range has all of; undefined if it has fewer. */
function familyOf(range: string): "IPv4" | "IPv6" | undefined {
  if (MAPPED.test(range)) return "IPv4";
  if (!range.endsWith("/0")) return undefined;
  return range.includes(":") ? "IPv6" : "IPv4";
}
