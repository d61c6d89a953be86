// Keeps secrets in files that only their owner can read, in a folder that git ignores. A secret that is there is kept, since
// receivers may know it.

import type { Random } from "@postrider/core";
import { Buffer } from "node:buffer";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Bytes of a new secret; as text, two characters each. */
const SECRET_BYTES = 32;

/** A new secret as text. */
export function drawSecret(random: Random, bytes: number = SECRET_BYTES): string {
  return Buffer.from(random.bytes(bytes)).toString("hex");
}

/** Makes the folder of secrets if it is not there, with mode 0700. Throws if that is not possible, or has no parent. */
export function makeSecretFolder(folder: string): void {
  // Not recursive: Node 20 then never returns from a file system in which no folder can be made, such as /proc.
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  chmodSync(folder, 0o700);
  const ignore = join(folder, ".gitignore");
  if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
}

/** Writes a new secret with mode 0600, unless the file has one. Throws if the file cannot be read or written. */
export function ensureSecret(file: string, random: Random): void {
  if (existsSync(file) && readFileSync(file, "utf8").trim() !== "") return;
  writeFileSync(file, `${drawSecret(random)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}
