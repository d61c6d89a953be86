// What the system's files say about names, from texts that a test gives. Without a text, the file is not there.

import { type NameFiles, readHosts, readNameSources, readResolvConf } from "../../packages/undici/src/name-files.js";

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
