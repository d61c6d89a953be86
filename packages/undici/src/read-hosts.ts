// Reads /etc/hosts: the addresses of each name in it, of all its lines.

import { isIP } from "node:net";
import { wordsOfLines } from "./words-of-lines.js";

/** The addresses of names in small letters. */
export type Hosts = ReadonlyMap<string, ReadonlySet<string>>;

export function readHosts(text: string): Hosts {
  const hosts = new Map<string, Set<string>>();
  for (const [address = "", ...names] of wordsOfLines(text)) {
    if (isIP(address) === 0) continue;
    for (const written of names) {
      const name = written.toLowerCase();
      hosts.set(name, (hosts.get(name) ?? new Set()).add(address));
    }
  }
  return hosts;
}
