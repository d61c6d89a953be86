// Derives the finding about the settings that servers of a store share: whether this server uses the latest. Sends no requests.

import { isPlainObject } from "@postrider/core/engine";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { counted } from "../format-count.js";
import type { SendResult } from "../requests/send-json.js";
import { badFinding, type Finding, objectOfAnswer, okFinding } from "./finding.js";

/** Nothing of settings that a file owns, or that the server does not show. */
export function diagnoseSettings(answer: SendResult): readonly Finding[] {
  const shown = objectOfAnswer(answer);
  if (shown?.["owner"] !== "store") return [];
  const { refused } = shown;
  if (!isPlainObject(refused)) return [okFinding(`revision ${fieldOf(shown, "inForce")} of the settings is in force`)];
  const [first, ...others] = objectsIn(refused, "problems");
  const why = first === undefined ? "" : `: ${fieldOf(first, "path")}: expected ${fieldOf(first, "expected")}`;
  const more = others.length === 0 ? "" : `, and ${counted(others.length, "other problem", "other problems")}`;
  const kept = `revision ${fieldOf(shown, "inForce")} stays in force`;
  return [
    badFinding(`this server cannot use revision ${fieldOf(refused, "revision")} of the settings${why}${more}; ${kept}`),
  ];
}
