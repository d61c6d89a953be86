// The operator's network settings, and their problems.

import { isAddressRange, type OptionProblem } from "@postrider/core";
import { createOptionsError } from "@postrider/core/engine";
import { X509Certificate } from "node:crypto";

/** The addresses that may be reached, and the authorities that are trusted, beyond the defaults. */
export interface Network {
  /**
   * Ranges that may be reached although they are not public, such as `10.0.0.0/8`, or single addresses. If they open an
   * address of a name, its others are left out, also public ones; otherwise one forbidden address forbids the name.
   */
  readonly allow?: readonly string[];
  /** Certificates of authorities that are trusted in addition to the public ones, as PEM text. */
  readonly ca?: readonly string[];
  /** About how long a connection is used, in milliseconds; each a fifth more or less. 30,000 if absent. */
  readonly maxConnectionAgeMs?: number;
}

/** Throws an `OptionsError` that names all problems. `functionName` is that of the public function that got the settings. */
export function requireValidNetwork(
  functionName: string,
  { allow = [], ca = [], maxConnectionAgeMs = 1 }: Network,
): void {
  const problems = [
    ...problemsOf("allow", allow, isAddressRange, "an address range like 10.0.0.0/8"),
    ...problemsOf("ca", ca, isCertificate, "a certificate as PEM text"),
    ...(maxConnectionAgeMs > 0 ? [] : [{ path: "network.maxConnectionAgeMs", expected: "milliseconds, above 0" }]),
  ];
  if (problems.length > 0) throw createOptionsError(functionName, problems);
}

/**
 * True if a text has one or more certificates in PEM, each of which can be read. TLS itself would ignore one that it cannot read, so that a
 * receiver fails later with `self-signed` or another fault of its chain.
 */
export function isCertificate(text: string): boolean {
  const [, ...blocks] = text.split(BEGIN);
  return blocks.length > 0 && blocks.every((block) => isReadable(BEGIN + block));
}

const BEGIN = "-----BEGIN CERTIFICATE-----";

function isReadable(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function problemsOf(
  key: "allow" | "ca",
  texts: readonly string[],
  isValid: (text: string) => boolean,
  expected: string,
): readonly OptionProblem[] {
  return texts.flatMap((text, index) =>
    isValid(text) ? [] : [{ path: `network.${key}[${String(index)}]`, expected }],
  );
}
