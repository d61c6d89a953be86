// What the system's files say about names, from texts that a test gives. Without a text, the file is not there.

import type { NameFiles } from "../../packages/undici/src/name-files.js";
import { readHosts } from "../../packages/undici/src/read-hosts.js";
import { readNameSources } from "../../packages/undici/src/read-name-sources.js";
import { readResolvConf } from "../../packages/undici/src/read-resolv-conf.js";

export interface NameFileTexts {
  readonly hosts?: string;
  readonly resolvConf?: string;
  readonly nsswitch?: string;
}

export function nameFiles({ hosts = "", resolvConf = "", nsswitch }: NameFileTexts): NameFiles {
  return {
    hosts: readHosts(hosts),
    resolvConf: readResolvConf(resolvConf, "machine"),
    sources: readNameSources(nsswitch, "linux"),
  };
}
