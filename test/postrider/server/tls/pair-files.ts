// A certificate and its key in two files of a new folder, as an operator has them; any text may take their place.

import { createAuthority, type TlsIdentity } from "@postrider/testkit/hostile-receivers";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TlsFiles } from "../../../../packages/postrider/src/server/tls/tls-pair.js";
import { tempFolder } from "../../config-file.js";

export const AUTHORITY = createAuthority();
export const HOSTS = { hosts: ["127.0.0.1", "localhost"] };

export interface PairFiles {
  readonly files: TlsFiles;
  /** Writes other texts into the same files. */
  readonly write: (pair: TlsIdentity) => void;
}

export function pairFiles(pair: TlsIdentity): PairFiles {
  const folder = tempFolder();
  const files = { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") };
  const write = ({ cert, key }: TlsIdentity): void => {
    writeFileSync(files.certFile, cert);
    writeFileSync(files.keyFile, key);
  };
  write(pair);
  return { files, write };
}
