// A scenario for the simulator, as plain data on which its options are built (decision: scenario types), and its JSON
// form, as io-ts codecs of shapes that change nothing. `decode-scenario` decides what times mean and whether the parts
// fit together.

import { type DeliveryPolicy, type Fault, FAULTS } from "@postrider/core";
import { parseTimestamp } from "@postrider/core/engine";
import * as t from "io-ts";
import { closedObject } from "../config/setting.js";
import { amount, leaf, milliseconds, text } from "../config/leaves.js";
import type { DeliveryEntry } from "../config/config-file.js";
import { deliverySetting } from "../config/workspace-settings.js";

/** `wallAtStart` is in milliseconds since the epoch; all other times are in milliseconds since the start of the scenario. */
export interface Scenario {
  readonly seed: number;
  readonly wallAtStart: number;
  readonly policy: Partial<DeliveryPolicy>;
  readonly load: ScenarioLoad;
  readonly receivers: Readonly<Record<string, readonly ScenarioReceiver[]>>;
  readonly faults: readonly ScenarioFault[];
}

/** `calls` calls, spread evenly over `overMs`. */
export interface ScenarioLoad {
  readonly calls: number;
  readonly overMs: number;
  /** Calls of one arrival. */
  readonly perArrival: number;
}

/** A simulated receiver: its usual behaviour, and the spells in which it behaves otherwise. */
export interface ScenarioReceiver {
  readonly usually: ScenarioBehaviour;
  readonly spreadMs: number;
  readonly spells: readonly (ScenarioStretch & { readonly behaviour: ScenarioBehaviour })[];
}

/** The behaviour of a simulated receiver: it answers, mostly answers, fails with a fault, or never answers. */
export type ScenarioBehaviour =
  | ScenarioAnswer
  | ({ readonly kind: "troubled"; readonly usually: ScenarioAnswer } & ScenarioErrors)
  | { readonly kind: "fails"; readonly fault: Fault; readonly afterMs: number }
  | { readonly kind: "hangs" };

/** The requests that a receiver does not answer as it usually does. */
export interface ScenarioErrors {
  /** The share of requests that are answered 500, by chance. */
  readonly errors: number;
  /** The share of messages that are answered 500 each time, chosen by their bytes. */
  readonly poisoned: number;
  /** The most requests that may be open; a further request is answered 503 immediately. No limit if absent. */
  readonly bears?: number;
}

interface ScenarioAnswer {
  readonly kind: "answers";
  readonly status: number;
  readonly afterMs: number;
  readonly retryAfter?: string;
}

/** The time from `fromMs` until just before `untilMs`. */
export interface ScenarioStretch {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Something that goes wrong in a simulated run. All times are in milliseconds from its start. */
export type ScenarioFault =
  /** The process is killed, and starts again after `downMs`. */
  | ({ readonly kind: "crash" } & ScenarioDowntime)
  /** An operator stops the process and starts it again. */
  | ({ readonly kind: "stop" } & ScenarioDowntime)
  /** The wall clock jumps by `byMs`. */
  | { readonly kind: "clock-step"; readonly atMs: number; readonly byMs: number }
  | ({ readonly kind: "store"; readonly ails: StoreFaultKind } & ScenarioStretch)
  /** The destination is switched off, or paused. */
  | ({ readonly kind: "closed"; readonly destination: string; readonly how: "off" | "paused" } & ScenarioStretch);

/** The end of a process, and the time for which it stays down. Both in milliseconds; `atMs` from the start of the run. */
export interface ScenarioDowntime {
  readonly atMs: number;
  readonly downMs: number;
}

/** The ways in which the store can fail. `unavailable`: it is unknown whether the operation took effect. */
export const STORE_FAULT_KINDS = ["busy", "full", "slow", "unavailable"] as const;

/** The faults of a simulated store. */
export type StoreFaultKind = (typeof STORE_FAULT_KINDS)[number];

export interface ScenarioFile {
  readonly start: string;
  readonly seed?: number;
  readonly load: { readonly callsPerSecond: number; readonly until: string; readonly perArrival?: number };
  readonly delivery?: DeliveryEntry;
  readonly destinations: readonly ScenarioDestinationEntry[];
  readonly crashes?: readonly DowntimeEntry[];
  readonly stops?: readonly DowntimeEntry[];
  readonly clockSteps?: readonly { readonly at: string; readonly byMs: number }[];
  readonly store?: readonly (StretchEntry & { readonly ails: StoreFaultKind })[];
  readonly closed?: readonly (StretchEntry & { readonly destination: string; readonly how: "off" | "paused" })[];
}

interface ScenarioDestinationEntry {
  readonly id: string;
  readonly receivers: readonly ReceiverEntry[];
}

export interface ReceiverEntry {
  readonly usually?: BehaviourEntry;
  readonly spreadMs?: number;
  readonly spells?: readonly (StretchEntry & { readonly does: BehaviourEntry })[];
}

/** A status, a fault, `hangs`, or an answer with all of its fields. */
export type BehaviourEntry = number | Fault | "hangs" | AnswerEntry;

interface AnswerEntry {
  readonly status: number;
  readonly afterMs?: number;
  readonly retryAfterSeconds?: number;
  readonly errors?: number;
  readonly poisoned?: number;
  readonly bears?: number;
}

export interface StretchEntry {
  readonly from: string;
  readonly to: string;
}

interface DowntimeEntry {
  readonly at: string;
  readonly downMs: number;
}

/** A time of day, as `10:00` or `10:00:30`. @internal */
export const TIME_OF_DAY: RegExp = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;

const time = leaf("a time such as 10:00, or 2026-01-31T10:00:00Z", (value): value is string => {
  return t.string.is(value) && (TIME_OF_DAY.test(value) || parseTimestamp(value) !== undefined);
});

const instant = leaf("a time such as 2026-01-31T09:30:00Z", (value): value is string => {
  return t.string.is(value) && parseTimestamp(value) !== undefined;
});

const status = leaf("a status from 200 to 599", (value): value is number => {
  return t.Int.is(value) && value >= 200 && value <= 599;
});

const share = leaf("a number from 0 to 1", (value): value is number => {
  return typeof value === "number" && value >= 0 && value <= 1;
});

const ailment = leaf(STORE_FAULT_KINDS.join(", "), (value): value is StoreFaultKind =>
  STORE_FAULT_KINDS.some((kind) => kind === value),
);

const how = leaf("off, paused", (value): value is "off" | "paused" => value === "off" || value === "paused");

const answer: t.Type<AnswerEntry, unknown> = closedObject("a status, a fault, hangs, or an object with a status", {
  required: { status },
  optional: {
    afterMs: milliseconds,
    retryAfterSeconds: milliseconds,
    errors: share,
    poisoned: share,
    bears: milliseconds,
  },
});

/** A status or one of the words is valid; any other value must be an object. */
const behaviour: t.Type<BehaviourEntry, unknown> = new t.Type<BehaviourEntry, unknown>(
  answer.name,
  (value): value is BehaviourEntry => isShort(value) || answer.is(value),
  (value, context) => (isShort(value) ? t.success(value) : answer.validate(value, context)),
  t.identity,
);

const stretch = { from: time, to: time };

const downtime: t.Type<DowntimeEntry, unknown> = closedObject("an object", {
  required: { at: time, downMs: milliseconds },
  optional: {},
});

const receiver: t.Type<ReceiverEntry, unknown> = closedObject("a receiver: an object", {
  required: {},
  optional: {
    usually: behaviour,
    spreadMs: milliseconds,
    spells: t.readonlyArray(
      closedObject("a spell: an object", { required: { ...stretch, does: behaviour }, optional: {} }),
      "a list of spells",
    ),
  },
});

const destination: t.Type<ScenarioDestinationEntry, unknown> = closedObject("a destination: an object", {
  required: { id: text, receivers: t.readonlyArray(receiver, "a list of receivers") },
  optional: {},
});

/** @internal */
export const scenarioFileCodec: t.Type<ScenarioFile, unknown> = closedObject("an object", {
  required: {
    start: instant,
    load: closedObject("an object", {
      required: { callsPerSecond: amount, until: time },
      optional: { perArrival: milliseconds },
    }),
    destinations: t.readonlyArray(destination, "a list of destinations"),
  },
  optional: {
    seed: milliseconds,
    delivery: deliverySetting.codec,
    crashes: t.readonlyArray(downtime, "a list of crashes"),
    stops: t.readonlyArray(downtime, "a list of stops"),
    clockSteps: t.readonlyArray(
      closedObject("an object", { required: { at: time, byMs: milliseconds }, optional: {} }),
      "a list of steps",
    ),
    store: t.readonlyArray(
      closedObject("an object", { required: { ...stretch, ails: ailment }, optional: {} }),
      "a list of ailments",
    ),
    closed: t.readonlyArray(
      closedObject("an object", { required: { ...stretch, destination: text, how }, optional: {} }),
      "a list of closed destinations",
    ),
  },
});

function isShort(value: unknown): value is number | Fault | "hangs" {
  return status.is(value) || value === "hangs" || FAULTS.some((fault) => fault === value);
}
