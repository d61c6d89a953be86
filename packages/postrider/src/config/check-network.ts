// Checks the network settings of a config by the rules of the undici adapter, so that an unusable range or certificate is
// refused before anything starts.

import type { ServerSettings } from "@postrider/codec";
import { isAddressRange } from "@postrider/undici";
import { X509Certificate } from "node:crypto";
import type { ConfigProblem } from "./config-problem.js";

/** All problems, with their paths from the root of the config. */
export function checkNetwork({ allow, ca }: ServerSettings["network"]): readonly ConfigProblem[] {
  return [
    ...allow.flatMap((range, index) => (isAddressRange(range) ? [] : [badRange(index)])),
    ...ca.flatMap((text, index) => (isCertificate(text) ? [] : [badCertificate(index)])),
  ];
}

function badRange(index: number): ConfigProblem {
  return { code: "bad-range", path: `network.allow[${String(index)}]`, expected: "a range such as 10.0.0.0/8" };
}

function badCertificate(index: number): ConfigProblem {
  return { code: "bad-certificate", path: `network.ca[${String(index)}]`, expected: "a certificate as PEM text" };
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}
