// Reads a certificate and its key from their files. What makes a pair good is decided in check-pair.ts.

import type { EpochMs } from "@postrider/core";
import { closeSync, openSync } from "node:fs";
import { MAX_REFERENCE_BYTES } from "../../config/limits.js";
import { readTextFile } from "../../config/read-text-file.js";
import { checkPair, type TlsPairResult } from "./check-pair.js";
import type { TlsFiles } from "./tls-pair.js";

/** The pair of the files, or the first reason why it cannot be served. Files of more than 1 MiB are not read. */
export function readPair(files: TlsFiles, now: EpochMs): TlsPairResult {
  const cert = readTextFile(files.certFile, MAX_REFERENCE_BYTES);
  if (cert === undefined) return { kind: "refused", reason: unreadable(files.certFile) };
  const key = readTextFile(files.keyFile, MAX_REFERENCE_BYTES);
  if (key === undefined) return { kind: "refused", reason: unreadable(files.keyFile) };
  return checkPair(files, { cert, key }, now);
}

function unreadable(file: string): string {
  try {
    closeSync(openSync(file, "r"));
    return `${file} cannot be read: it is a folder, or longer than ${String(MAX_REFERENCE_BYTES)} bytes`;
  } catch (error) {
    const { code = "unknown fault" } = error as NodeJS.ErrnoException;
    return `${file} cannot be read: ${REASONS[code] ?? code}`;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this user may not read it",
};
