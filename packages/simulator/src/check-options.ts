// Refuses options that only a program without types can pass, and numbers that are not finite: an unknown behaviour would otherwise
// fail in the middle of a run, or be played as another one.

import { DEFAULT_DELIVERY, FAULTS, type OptionProblem } from "@postrider/core";
import { checkDelivery, createOptionsError } from "@postrider/core/engine";
import { STORE_FAULT_KINDS } from "@postrider/relay/settings";
import {
  checkAudiences,
  checkDeletions,
  checkEntries,
  checkRateLimits,
  checkReplays,
  checkServers,
  checkTests,
  checkSettingsChanges,
  isLoose,
  type Loose,
  rule,
} from "./check-parts.js";
import { CRASH_STEPS, type SimulationOptions } from "./simulation.js";

/** Throws an `OptionsError` with all problems of the options. */
export function demandOptions(options: SimulationOptions): void {
  const problems = [
    ...checkDelivery({ ...DEFAULT_DELIVERY, ...options.policy }, "policy"),
    ...(options.seed === undefined ? [] : finite("seed", options.seed)),
    ...(options.wallAtStart === undefined ? [] : finite("wallAtStart", options.wallAtStart)),
    ...rule(isBetween(options.storeLatencyMs ?? 0, 0, MAX_LATENCY_MS), "storeLatencyMs", "milliseconds from 0 to 200"),
    ...(options.load === undefined ? [] : checkLoad(options.load)),
    ...checkReceivers(options),
    ...checkRateLimits(options),
    ...checkRetentionHours(options.retention),
    ...checkPauses(options),
    ...checkServers(options, checkFault),
    ...checkAudiences(options),
    ...checkDeletions(options),
    ...checkReplays(options),
    ...checkTests(options),
    ...(options.faults ?? []).flatMap((fault, index) => checkFault(`faults[${String(index)}]`, fault)),
    ...checkSettingsChanges(options),
  ];
  if (problems.length > 0) throw createOptionsError("simulate", problems);
}

/** With a longer one, deliveries are not prompt. */
const MAX_LATENCY_MS = 200;

function checkLoad(load: unknown): readonly OptionProblem[] {
  if (!isLoose(load)) return [{ path: "load", expected: "an object with calls and overMs" }];
  const { calls, overMs, perArrival = 1, leftOut = 0, repeated = 0, inTransactions = 0 } = load;
  return [
    ...rule(isWhole(calls, 0), "load.calls", "a whole number of calls"),
    ...rule(isBetween(overMs, 0, Number.MAX_VALUE), "load.overMs", "a number of milliseconds, 0 or more"),
    ...rule(isWhole(perArrival, 1), "load.perArrival", "a whole number, 1 or more"),
    ...rule(isBetween(leftOut, 0, 1), "load.leftOut", "a share from 0 to 1"),
    ...rule(isBetween(repeated, 0, 1), "load.repeated", "a share from 0 to 1"),
    ...rule(isBetween(inTransactions, 0, 1), "load.inTransactions", "a share from 0 to 1"),
  ];
}

function checkRetentionHours(retention: unknown): readonly OptionProblem[] {
  if (retention === undefined) return [];
  if (!isLoose(retention)) return [{ path: "retention", expected: "an object of hours" }];
  return ["deliveredHours", "deadHours"].flatMap((name) => {
    const hours = retention[name];
    const isPositive = isBetween(hours, Number.MIN_VALUE, Number.MAX_VALUE);
    return rule(hours === undefined || isPositive, `retention.${name}`, "a number above 0");
  });
}

function isWhole(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least;
}

function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}

function checkReceivers({ receivers }: SimulationOptions): readonly OptionProblem[] {
  return Object.entries(receivers).flatMap(([id, entry]) =>
    [entry].flat().flatMap((receiver, index) => {
      const path = `receivers.${id}[${String(index)}]`;
      return [
        ...(receiver.usually === undefined ? [] : checkBehaviour(`${path}.usually`, receiver.usually)),
        ...(receiver.spells ?? []).flatMap((spell, spellIndex) => [
          ...checkStretch(`${path}.spells[${String(spellIndex)}]`, { ...spell }),
          ...checkBehaviour(`${path}.spells[${String(spellIndex)}].behaviour`, spell.behaviour),
        ]),
        ...(receiver.spreadMs === undefined ? [] : finite(`${path}.spreadMs`, receiver.spreadMs)),
      ];
    }),
  );
}

type Check = (path: string, value: Loose) => readonly OptionProblem[];

const BEHAVIOURS: Readonly<Record<string, Check>> = {
  answers: (path, { status }) =>
    rule(Number.isSafeInteger(status) && Number(status) >= 100 && Number(status) <= 599, `${path}.status`, STATUS),
  fails: (path, { fault }) => oneOf(`${path}.fault`, fault, FAULTS),
  hangs: () => [],
  mixed: (path, { of }) =>
    Array.isArray(of) && of.length > 0
      ? of.flatMap((behaviour, index) => checkBehaviour(`${path}.of[${String(index)}]`, behaviour))
      : [{ path: `${path}.of`, expected: "a list of behaviours" }],
  troubled: (path, { usually }) => checkBehaviour(`${path}.usually`, usually),
};

const STATUS = "a status from 100 to 599";

function checkBehaviour(path: string, behaviour: unknown): readonly OptionProblem[] {
  return checkKind(BEHAVIOURS, path, behaviour);
}

const checkDowntime: Check = (path, { atMs, downMs }) => [
  ...finite(`${path}.atMs`, atMs),
  ...finite(`${path}.downMs`, downMs),
];

const checkStep: Check = (path, { step }) => oneOf(`${path}.step`, step, [undefined, ...CRASH_STEPS]);

const FAULT_CHECKS: Readonly<Record<string, Check>> = {
  crash: (path, fault) => [...checkDowntime(path, fault), ...checkStep(path, fault)],
  stop: (path, fault) => [...checkDowntime(path, fault), ...checkStep(path, fault)],
  sender: checkDowntime,
  freeze: (path, fault) => [
    ...finite(`${path}.atMs`, fault["atMs"]),
    ...finite(`${path}.forMs`, fault["forMs"]),
    ...checkStep(path, fault),
  ],
  "late-answers": (path, fault) => [
    ...checkStretch(path, fault),
    ...rule(isBetween(fault["share"], 0, 1), `${path}.share`, "a share from 0 to 1"),
    ...rule(isBetween(fault["byMs"], 0, Number.MAX_VALUE), `${path}.byMs`, "a number of milliseconds, 0 or more"),
  ],
  "clock-step": (path, { atMs, byMs }) => [...finite(`${path}.atMs`, atMs), ...finite(`${path}.byMs`, byMs)],
  store: (path, fault) => [...checkStretch(path, fault), ...oneOf(`${path}.ails`, fault["ails"], STORE_FAULT_KINDS)],
  closed: (path, fault) => [...checkStretch(path, fault), ...oneOf(`${path}.how`, fault["how"], ["off", "paused"])],
  settings: checkStretch,
};

function checkFault(path: string, fault: unknown): readonly OptionProblem[] {
  return checkKind(FAULT_CHECKS, path, fault);
}

/** Checks a value by the check of its kind. */
function checkKind(checks: Readonly<Record<string, Check>>, path: string, value: unknown): readonly OptionProblem[] {
  const loose: Loose = isLoose(value) ? value : {};
  const { kind } = loose;
  const check = typeof kind === "string" && Object.hasOwn(checks, kind) ? checks[kind] : undefined;
  return check?.(path, loose) ?? [{ path: `${path}.kind`, expected: `one of ${Object.keys(checks).join(", ")}` }];
}

function checkPauses({ operatorPauses = [], receivers }: SimulationOptions): readonly OptionProblem[] {
  const receiverIds = isLoose(receivers) ? Object.keys(receivers) : [];
  return checkEntries("operatorPauses", operatorPauses, "a list of pauses", (path, pause) => [
    ...checkStretch(path, pause),
    ...oneOf(`${path}.destination`, pause["destination"], receiverIds),
  ]);
}

function checkStretch(path: string, { fromMs, untilMs }: Loose): readonly OptionProblem[] {
  return [...finite(`${path}.fromMs`, fromMs), ...finite(`${path}.untilMs`, untilMs)];
}

function finite(path: string, value: unknown): readonly OptionProblem[] {
  return rule(Number.isFinite(value), path, "a finite number");
}

function oneOf(path: string, value: unknown, choices: readonly (string | undefined)[]): readonly OptionProblem[] {
  return rule(
    choices.some((choice) => choice === value),
    path,
    `one of ${choices.filter((choice) => choice !== undefined).join(", ")}`,
  );
}
