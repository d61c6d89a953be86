// Passes the events of a relay to its log and its observer, which also gets their time and the measurements.

import { logEvents } from "./log-events.js";
import type { EmitEvent, EmitMeasurement, EventFacts, Measurement, RelayEvent } from "./relay-event.js";
import type { RelayOptions } from "./relay.js";

export interface Emitters {
  readonly emit: EmitEvent;
  /** Absent if there is no observer: then nothing is measured. */
  readonly measure: EmitMeasurement | undefined;
}

/**
 * Passes each event to the log, to the observer, and to `note`. An exception of an observer has no effect. An event is a new object
 * at each call: its time is written into it, since a copy would cost more than a registry takes to count it.
 */
export function createEmit(options: RelayOptions, note: EmitEvent): Emitters {
  const { observe, clock } = options;
  const tell = observe && guarded(observe);
  const tellWithTime =
    tell &&
    ((event: EventFacts | Measurement): void => {
      tell(Object.assign(event, { at: clock.wall() }));
    });
  const log = createLog(options);
  return {
    emit: (event): void => {
      log?.(event);
      tellWithTime?.(event);
      note(event);
    },
    measure: tellWithTime,
  };
}

/** Passes on an event of another relay, with its time. */
export function createPassOn(options: RelayOptions): (event: RelayEvent) => void {
  const log = createLog(options);
  const tell = options.observe && guarded(options.observe);
  return (event): void => {
    if (!isMeasurement(event)) log?.(event);
    tell?.(event);
  };
}

/** True if an event reports only the duration of work. */
export function isMeasurement(event: EventFacts | Measurement): event is Measurement {
  return event.kind === "committed" || event.kind === "claimed" || event.kind === "answered";
}

function createLog({ logger, clock }: RelayOptions): EmitEvent | undefined {
  return logger === undefined ? undefined : guarded(logEvents(logger, clock));
}

function guarded<Event>(listen: (event: Event) => void): (event: Event) => void {
  return (event) => {
    try {
      listen(event);
    } catch {
      // The relay does not depend on the observer, and there is no place to report the error.
    }
  };
}
