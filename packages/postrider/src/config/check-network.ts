// Checks the certificates of the network settings of a config, by the rule of the undici adapter, so that an unusable
// certificate is refused before anything starts. The ranges were checked when the config was decoded.

import type { ServerSettings } from "@postrider/codec";
import { isCertificate } from "@postrider/undici";
import type { ConfigProblem } from "./config-problem.js";

/** All problems, with their paths from the root of the config. */
export function checkNetwork({ ca }: ServerSettings["network"]): readonly ConfigProblem[] {
  return ca.flatMap((text, index) => (isCertificate(text) ? [] : [badCertificate(index)]));
}

function badCertificate(index: number): ConfigProblem {
  return {
    code: "bad-certificate",
    path: `network.ca[${String(index)}]`,
    expected: "a whole certificate as PEM text; this one is damaged",
  };
}
