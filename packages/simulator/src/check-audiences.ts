// Refuses wrong audiences of a simulation, and wrong requests about their users, by the paths that its caller wrote.

import { type OptionProblem, REGULATIONS } from "@postrider/core";
import { isLoose, type Loose, rule } from "./option-rule.js";
import { MAX_SIMULATED_USERS } from "./simulated-audience.js";
import type { SimulationOptions } from "./simulation.js";

const MS = "a number of milliseconds, 0 or more";
const MAX_SYNCS = 1_000;

export function checkAudiences({ receivers, audiences }: SimulationOptions): readonly OptionProblem[] {
  if (audiences === undefined) return [];
  if (!isLoose(audiences)) return [{ path: "audiences", expected: "an object of audiences" }];
  return Object.entries(audiences).flatMap(([key, audience]) => {
    const path = `audiences.${key}`;
    if (!/^[a-z]{1,50}$/.test(key)) return [{ path, expected: "a key of 1 to 50 letters from a to z" }];
    return isLoose(audience) ? checkAudience(path, audience, receivers) : [{ path, expected: "an audience" }];
  });
}

function checkAudience(path: string, audience: Loose, receivers: object): readonly OptionProblem[] {
  const { kind, sendsAs, destinations, users, turnover, syncs, firstAtMs, everyMs, givesWithinMs = 0 } = audience;
  const known = (id: unknown): boolean => typeof id === "string" && Object.hasOwn(receivers, id);
  const areKnown = Array.isArray(destinations) && destinations.length > 0 && destinations.every(known);
  return [
    ...rule(kind === "audience" || kind === "trait", `${path}.kind`, "one of audience, trait"),
    ...rule(sendsAs === "identify" || sendsAs === "track", `${path}.sendsAs`, "one of identify, track"),
    ...rule(areKnown, `${path}.destinations`, "a list of ids of destinations that have receivers"),
    ...rule(isWhole(users, 1, MAX_SIMULATED_USERS), `${path}.users`, "a whole number from 1 to 10,000"),
    ...rule(isBetween(turnover, 0, 1), `${path}.turnover`, "a share from 0 to 1"),
    ...rule(isWhole(syncs, 1, MAX_SYNCS), `${path}.syncs`, "a whole number from 1 to 1,000"),
    ...rule(isTime(firstAtMs), `${path}.firstAtMs`, MS),
    ...rule(isTime(everyMs), `${path}.everyMs`, MS),
    ...rule(isTime(givesWithinMs), `${path}.givesWithinMs`, MS),
  ];
}

export function checkDeletions({ audiences, deletions }: SimulationOptions): readonly OptionProblem[] {
  if (deletions === undefined) return [];
  if (!Array.isArray(deletions)) return [{ path: "deletions", expected: "a list of requests about users" }];
  if (audiences === undefined && deletions.length > 0)
    return [{ path: "deletions", expected: "none, since there are no audiences" }];
  return deletions.flatMap((deletion: unknown, index) => {
    const path = `deletions[${String(index)}]`;
    return isLoose(deletion) ? checkOne(path, deletion) : [{ path, expected: "a request about users" }];
  });
}

function checkOne(path: string, { atMs, regulation, users }: Loose): readonly OptionProblem[] {
  const isNumber = (user: unknown): boolean => isWhole(user, 0, MAX_SIMULATED_USERS - 1);
  const areNumbers = Array.isArray(users) && users.length > 0 && users.every(isNumber);
  return [
    ...rule(isTime(atMs), `${path}.atMs`, MS),
    ...rule(
      REGULATIONS.some((one) => one === regulation),
      `${path}.regulation`,
      `one of ${REGULATIONS.join(", ")}`,
    ),
    ...rule(areNumbers, `${path}.users`, "a list of numbers of users, from 0 to 9,999"),
  ];
}

function isTime(value: unknown): boolean {
  return isBetween(value, 0, Number.MAX_VALUE);
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && isBetween(value, least, most);
}
