// Reads a certificate and its key from their files. What makes a pair good is decided in check-pair.ts.

import type { EpochMs } from "@postrider/core";
import { MAX_REFERENCE_BYTES } from "../../config/limits.js";
import { readTextFile } from "../../config/read-text-file.js";
import { checkPair, type TlsPairResult } from "./check-pair.js";
import type { TlsFiles } from "./tls-pair.js";

/** The pair of the files, or the first reason why it cannot be served. Files of more than 1 MiB are not read. */
export function readPair(files: TlsFiles, now: EpochMs): TlsPairResult {
  const cert = readTextFile(files.certFile, MAX_REFERENCE_BYTES);
  if (cert.kind === "refused") return refused(files.certFile, cert.expected);
  const key = readTextFile(files.keyFile, MAX_REFERENCE_BYTES);
  if (key.kind === "refused") return refused(files.keyFile, key.expected);
  return checkPair(files, { cert: cert.text, key: key.text }, now);
}

function refused(file: string, expected: string): TlsPairResult {
  return { kind: "refused", reason: `${file} cannot be read: expected ${expected}` };
}
