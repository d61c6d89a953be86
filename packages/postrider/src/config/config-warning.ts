// A warning of a valid config, and how warnings are logged. It says what works otherwise than its author probably meant, and what to
// change, and shows no secret.

import { defined } from "@postrider/core/engine";
import type { Logger } from "@postrider/relay";
import { MAX_PROBLEMS_SHOWN } from "./limits.js";

export type ConfigWarningCode =
  | "forbidden-address"
  | "unvetted-address"
  | "no-sources"
  | "unconnected-source"
  | "unconnected-destination"
  | "weak-secret"
  | "weak-token"
  | "same-secret"
  | "untidy-secret"
  | "unusual-endpoint"
  | "unusual-header"
  | "unsigned-webhook"
  | "every-address"
  | "unexpanded-variable"
  | "unusual-number";

export interface ConfigWarning {
  readonly code: ConfigWarningCode;
  /** From the root of the config. */
  readonly path: string;
  /** The effect of the setting as it is. */
  readonly effect: string;
  /** The advice: an addition or a change. */
  readonly change: string;
  /** The id of the destination, if the warning is about one. */
  readonly destination?: string;
  /** The URL, with its query masked, if the warning is about an endpoint. */
  readonly endpoint?: string;
}

/** Logs each warning, up to `MAX_PROBLEMS_SHOWN`, and one with the number of the others. */
export function logWarnings(warnings: readonly ConfigWarning[], logger: Logger): void {
  for (const warning of warnings.slice(0, MAX_PROBLEMS_SHOWN)) {
    const { code, path, effect, change, destination, endpoint } = warning;
    const detail = `${path}: ${effect}; ${change}`;
    logger.log("warning", { code, ...defined({ destination, endpoint }), detail });
  }
  const more = warnings.length - MAX_PROBLEMS_SHOWN;
  const [lastWarning] = warnings.slice(-1);
  if (more > 0 && lastWarning !== undefined) {
    logger.log("warning", {
      // Each entry needs a code; that of a warning that is not shown is true of one of them.
      code: lastWarning.code,
      detail: `${more === 1 ? "1 more warning is" : `${String(more)} more warnings are`} not shown`,
    });
  }
}
