// Reads from nsswitch.conf which sources the system asks for a name. Of these, files and DNS can be asked without the system.

import { wordsOfLines } from "./words-of-lines.js";

/** `system`: the system's resolver, for whatever else there is. */
export type NameSource = "files" | "dns" | "system";

const FILES_AND_DNS: readonly NameSource[] = ["files", "dns"];

/**
 * The sources, in order. The first that is neither files nor DNS, or has a condition (`[NOTFOUND=return]`), is `system` and
 * the last, since the system itself asks those that follow.
 */
export function readNameSources(text: string | undefined, platform: string): readonly NameSource[] {
  // Without the file, Linux asks files and DNS. Other systems have further ways: macOS asks the resolver of each domain.
  if (text === undefined) return platform === "linux" ? FILES_AND_DNS : ["system"];
  const [, ...words] = wordsOfLines(text.replace(/^(\s*hosts):/gm, "$1 ")).find(([word]) => word === "hosts") ?? [];
  const sources = words.map((word): NameSource => (word === "files" || word === "dns" ? word : "system"));
  const end = sources.indexOf("system");
  if (sources.length === 0) return FILES_AND_DNS;
  return end === -1 ? sources : sources.slice(0, end + 1);
}
