// Refuses wrong servers, audiences, requests about users, replay jobs, test events, rate limits and changes of settings of a simulation,
// and options that do not go with several servers. Paths of problems are those that the caller wrote.

import { type OptionProblem, REGULATIONS } from "@postrider/core";
import { isShared } from "./schedule-faults.js";
import { type ServerFault, type SimulationOptions, MAX_SIMULATED_USERS } from "./simulation.js";

/** An object whose fields may be of any type. */
export type Loose = Readonly<Record<string, unknown>>;

export function rule(isMet: boolean, path: string, expected: string): readonly OptionProblem[] {
  return isMet ? [] : [{ path, expected }];
}

/** True if the value is an object with named values. A list is not one. */
export function isLoose(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const MAX_SERVERS = 8;

const SERVER_FAULTS: readonly string[] = [
  "crash",
  "stop",
  "freeze",
  "clock-step",
  "sender",
  "late-answers",
] satisfies readonly ServerFault["kind"][];

/** Checks a fault, as those of `faults` are checked. */
type CheckFault = (path: string, fault: unknown) => readonly OptionProblem[];

export function checkServers(options: SimulationOptions, checkFault: CheckFault): readonly OptionProblem[] {
  const { servers, faults = [] }: SimulationOptions = options;
  if (servers === undefined) return [];
  const isServerList = Array.isArray(servers) && servers.length >= 1 && servers.length <= MAX_SERVERS;
  if (!isServerList) return [{ path: "servers", expected: `a list of 1 to ${String(MAX_SERVERS)} servers` }];
  const isDelivering = servers.some((server: unknown) => !isLoose(server) || server["delivers"] !== false);
  return [
    ...rule(isDelivering, "servers", "at least one server that delivers"),
    ...servers.flatMap((server: unknown, index) => {
      const path = `servers[${String(index)}]`;
      return isLoose(server) ? checkServer(path, server, checkFault) : [{ path, expected: "a server" }];
    }),
    ...faults.flatMap((fault, index) =>
      rule(
        isShared(fault),
        `faults[${String(index)}].kind`,
        "store, closed or settings; other faults are those of a server",
      ),
    ),
  ];
}

function checkServer(path: string, server: Loose, checkFault: CheckFault): readonly OptionProblem[] {
  const { aheadMs = 0, driftPpm = 0, delivers = true, faults = [] } = server;
  return [
    ...rule(typeof delivers === "boolean", `${path}.delivers`, "true or false"),
    ...rule(Number.isFinite(aheadMs), `${path}.aheadMs`, "a finite number"),
    ...rule(Number.isFinite(driftPpm), `${path}.driftPpm`, "a finite number"),
    ...(Array.isArray(faults)
      ? checkFaults(path, faults, checkFault)
      : [{ path: `${path}.faults`, expected: "a list" }]),
  ];
}

function checkFaults(path: string, faults: readonly unknown[], checkFault: CheckFault): readonly OptionProblem[] {
  return faults.flatMap((fault, index) => {
    const faultPath = `${path}.faults[${String(index)}]`;
    const kind = isLoose(fault) ? fault["kind"] : undefined;
    const isServerFault = SERVER_FAULTS.some((name) => name === kind);
    return isServerFault
      ? checkFault(faultPath, fault)
      : [{ path: `${faultPath}.kind`, expected: `one of ${SERVER_FAULTS.join(", ")}` }];
  });
}

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
  const areKnown = isListOf(destinations, (id) => isReceiver(receivers, id));
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
    return isLoose(deletion) ? checkDeletion(path, deletion) : [{ path, expected: "a request about users" }];
  });
}

function checkDeletion(path: string, { atMs, regulation, users }: Loose): readonly OptionProblem[] {
  const isNumber = (user: unknown): boolean => isWhole(user, 0, MAX_SIMULATED_USERS - 1);
  const areNumbers = isListOf(users, isNumber);
  return [
    ...rule(isTime(atMs), `${path}.atMs`, MS),
    ...rule(
      REGULATIONS.some((name) => name === regulation),
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

const STATES_REPLAYED: readonly unknown[] = ["delivered", "dead"];

export function checkReplays({ receivers, replays = [] }: SimulationOptions): readonly OptionProblem[] {
  return checkEntries("replays", replays, "a list of replay jobs", (path, replay) => {
    const { atMs, destination, states, cancelAfterMs = 0 } = replay;
    const areStates = isListOf(states, (state) => STATES_REPLAYED.includes(state));
    return [
      ...rule(isTime(atMs), `${path}.atMs`, MS),
      ...rule(isTime(cancelAfterMs), `${path}.cancelAfterMs`, MS),
      ...rule(destination === undefined || isReceiver(receivers, destination), `${path}.destination`, RECEIVER),
      ...rule(areStates, `${path}.states`, "a list of delivered, dead"),
    ];
  });
}

export function checkTests({ receivers, tests = [] }: SimulationOptions): readonly OptionProblem[] {
  return checkEntries("tests", tests, "a list of test events", (path, { atMs, destination }) => [
    ...rule(isTime(atMs), `${path}.atMs`, MS),
    ...rule(isReceiver(receivers, destination), `${path}.destination`, RECEIVER),
  ]);
}

/** Checks each entry of a list, by its path. An entry that is no object lacks all fields. */
export function checkEntries(
  path: string,
  entries: unknown,
  expected: string,
  check: (path: string, entry: Loose) => readonly OptionProblem[],
): readonly OptionProblem[] {
  if (!Array.isArray(entries)) return [{ path, expected }];
  return entries.flatMap((entry: unknown, index) => check(`${path}[${String(index)}]`, isLoose(entry) ? entry : {}));
}

const RECEIVER = "the id of a destination that has receivers";

/** True for a list of at least one item, each of which is right. */
function isListOf(value: unknown, isRight: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item: unknown) => isRight(item));
}

function isReceiver(receivers: object, id: unknown): boolean {
  return typeof id === "string" && Object.hasOwn(receivers, id);
}

const ABOVE_0 = "a number above 0";

/** Checks that each limit is valid, and is for a destination that has receivers. */
export function checkRateLimits({ receivers, rateLimits }: SimulationOptions): readonly OptionProblem[] {
  if (rateLimits === undefined) return [];
  if (!isLoose(rateLimits)) return [{ path: "rateLimits", expected: "an object of rate limits" }];
  return Object.entries(rateLimits).flatMap(([id, limit]) => {
    const path = `rateLimits.${id}`;
    if (!Object.hasOwn(receivers, id)) return [{ path, expected: RECEIVER }];
    return isLoose(limit) ? checkLimit(path, limit) : [{ path, expected: "an object with perSecond and burst" }];
  });
}

/** Checks that each change is of a destination that has receivers, and that all of its values can be settings. */
export function checkSettingsChanges({ receivers, faults = [] }: SimulationOptions): readonly OptionProblem[] {
  return faults.flatMap((fault, index) => {
    if (fault.kind !== "settings") return [];
    const path = `faults[${String(index)}]`;
    const { destination, sets }: { readonly destination: string; readonly sets: unknown } = fault;
    const known = [receivers[destination] ?? []].flat().length;
    if (known === 0) return [{ path: `${path}.destination`, expected: RECEIVER }];
    return isLoose(sets) ? checkSets(`${path}.sets`, sets, known) : [{ path: `${path}.sets`, expected: "an object" }];
  });
}

function checkSets(path: string, sets: Loose, known: number): readonly OptionProblem[] {
  const { receivers, rateLimit, secret, is } = sets;
  const arePlaces = isListOf(receivers, (place) => isWhole(place, 0, known - 1));
  return [
    ...rule(
      receivers === undefined || arePlaces,
      `${path}.receivers`,
      `a list of places from 0 to ${String(known - 1)}`,
    ),
    ...(isLoose(rateLimit) ? checkLimit(`${path}.rateLimit`, rateLimit) : []),
    ...rule(
      rateLimit === undefined || rateLimit === null || isLoose(rateLimit),
      `${path}.rateLimit`,
      "a limit, or null",
    ),
    ...rule(secret === undefined || typeof secret === "string", `${path}.secret`, "a text"),
    ...rule(is === undefined || STATES.some((state) => state === is), `${path}.is`, `one of ${STATES.join(", ")}`),
  ];
}

const STATES: readonly string[] = ["unconnected", "off", "paused", "removed"];

function checkLimit(path: string, { perSecond, burst }: Loose): readonly OptionProblem[] {
  return [
    ...rule(isPositive(perSecond), `${path}.perSecond`, ABOVE_0),
    ...rule(isPositive(burst) && burst >= 1, `${path}.burst`, "a number, 1 or more"),
  ];
}

function isPositive(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}
