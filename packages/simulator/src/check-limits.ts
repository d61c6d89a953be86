// Refuses wrong rate limits and retentions of a simulation by the paths that its caller wrote, before they become parts of
// settings, whose problems have other paths.

import type { OptionProblem } from "@postrider/core";
import { isLoose, type Loose, rule } from "./option-rule.js";
import type { SimulationOptions } from "./simulation.js";

const ABOVE_0 = "a number above 0";

/** Whether each limit is one, and is for a destination that has receivers. */
export function checkRateLimits({ receivers, rateLimits }: SimulationOptions): readonly OptionProblem[] {
  if (rateLimits === undefined) return [];
  if (!isLoose(rateLimits)) return [{ path: "rateLimits", expected: "an object of rate limits" }];
  return Object.entries(rateLimits).flatMap(([id, limit]) => {
    const path = `rateLimits.${id}`;
    if (!Object.hasOwn(receivers, id)) return [{ path, expected: "the id of a destination that has receivers" }];
    return isLoose(limit) ? checkLimit(path, limit) : [{ path, expected: "an object with perSecond and burst" }];
  });
}

function checkLimit(path: string, { perSecond, burst }: Loose): readonly OptionProblem[] {
  return [
    ...rule(isPositive(perSecond), `${path}.perSecond`, ABOVE_0),
    ...rule(isPositive(burst) && burst >= 1, `${path}.burst`, "a number, 1 or more"),
  ];
}

export function checkRetentionHours(retention: unknown): readonly OptionProblem[] {
  if (retention === undefined) return [];
  if (!isLoose(retention)) return [{ path: "retention", expected: "an object of hours" }];
  return ["deliveredHours", "deadHours"].flatMap((name) => {
    const hours = retention[name];
    return rule(hours === undefined || isPositive(hours), `retention.${name}`, ABOVE_0);
  });
}

function isPositive(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}
