// Refuses wrong servers of a simulation, and what is not played with several of them, by the paths that its caller wrote.

import type { OptionProblem } from "@postrider/core";
import { isLoose, type Loose, rule } from "./option-rule.js";
import { isShared } from "./schedule-faults.js";
import type { ServerFault, SimulationOptions } from "./simulation.js";

const MAX_SERVERS = 8;
const SERVER_FAULTS: readonly string[] = [
  "crash",
  "stop",
  "freeze",
  "clock-step",
] satisfies readonly ServerFault["kind"][];

/** Checks a fault, as those of `faults` are checked. */
type CheckFault = (path: string, fault: unknown) => readonly OptionProblem[];

export function checkServers(options: SimulationOptions, checkFault: CheckFault): readonly OptionProblem[] {
  const { servers, faults = [], audiences }: SimulationOptions = options;
  if (servers === undefined) return [];
  const isSome = Array.isArray(servers) && servers.length >= 1 && servers.length <= MAX_SERVERS;
  if (!isSome) return [{ path: "servers", expected: `a list of 1 to ${String(MAX_SERVERS)} servers` }];
  return [
    ...servers.flatMap((server: unknown, index) => {
      const path = `servers[${String(index)}]`;
      return isLoose(server) ? checkServer(path, server, checkFault) : [{ path, expected: "a server" }];
    }),
    ...faults.flatMap((fault, index) =>
      rule(isShared(fault), `faults[${String(index)}].kind`, "store or closed; other faults are those of a server"),
    ),
    ...rule(audiences === undefined, "audiences", "none, since there are servers"),
  ];
}

function checkServer(path: string, server: Loose, checkFault: CheckFault): readonly OptionProblem[] {
  const { aheadMs = 0, driftPpm = 0, faults = [] } = server;
  return [
    ...rule(Number.isFinite(aheadMs), `${path}.aheadMs`, "a finite number"),
    ...rule(Number.isFinite(driftPpm), `${path}.driftPpm`, "a finite number"),
    ...(Array.isArray(faults)
      ? checkFaults(path, faults, checkFault)
      : [{ path: `${path}.faults`, expected: "a list" }]),
  ];
}

function checkFaults(path: string, faults: readonly unknown[], checkFault: CheckFault): readonly OptionProblem[] {
  return faults.flatMap((fault, index) => {
    const at = `${path}.faults[${String(index)}]`;
    const kind = isLoose(fault) ? fault["kind"] : undefined;
    const isOwn = SERVER_FAULTS.some((one) => one === kind);
    return isOwn ? checkFault(at, fault) : [{ path: `${at}.kind`, expected: `one of ${SERVER_FAULTS.join(", ")}` }];
  });
}
