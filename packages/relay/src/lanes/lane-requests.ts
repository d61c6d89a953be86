// Carries out what an operator asks of one lane: pause, resume, probe. The store keeps the pauses (decision: pauses of an
// operator), and `settings-in-force.ts` what this process knows of them.

import type { Clock, DestinationId, LanePause, LaneStatus } from "@postrider/core";
import { errAsync, okAsync, type Result, ResultAsync } from "neverthrow";
import { type LaneStatusContext, laneStatusOf } from "./lane-statuses.js";
import type { EmitEvent } from "../relay-event.js";
import type { Lanes } from "./lanes.js";
import type { OperatorPauses } from "../settings-in-force.js";
import { type StoreFault, toRelayFault } from "../fault.js";
import { createRecords, PAUSE_RECORDS, type Records } from "../commits/records.js";
import { type Storage, whileBusy } from "../commits/storage.js";
import type { LaneFault, LaneRequests } from "../requests.js";

interface LaneRequestsContext extends LaneStatusContext {
  readonly clock: Clock;
  readonly storage: Pick<Storage, "askRecords">;
  readonly lanes: Pick<Lanes, "all" | "applyTerms" | "probeNow">;
  readonly pauses: OperatorPauses;
  readonly emit: EmitEvent;
}

export function createLaneRequests(context: LaneRequestsContext): LaneRequests {
  const { clock, lanes, pauses, settings, emit } = context;
  const { askRecords } = context.storage;
  const records =
    askRecords && createRecords((question) => whileBusy(clock, () => askRecords(question)), PAUSE_RECORDS);

  const isInForce = (id: DestinationId): boolean => settings.destination(id) !== undefined;
  const status = (id: DestinationId): LaneStatus => laneStatusOf(context, id);

  /** Has the store keep a change, and then applies it. */
  function keep(
    change: (records: Records<LanePause>) => Promise<Result<unknown, StoreFault>>,
    apply: () => void,
    id: DestinationId,
  ): ResultAsync<LaneStatus, LaneFault> {
    if (records === undefined) return errAsync({ code: "not-supported" });
    return new ResultAsync(change(records)).mapErr(toRelayFault).map(() => {
      apply();
      lanes.applyTerms(id);
      return status(id);
    });
  }

  return {
    pause: (id) => {
      if (!isInForce(id)) return errAsync({ code: "unknown-destination" });
      const apply = (): void => {
        if (!pauses.has(id)) emit({ kind: "lane-paused", destination: id });
        pauses.add(id);
      };
      return keep((stored) => stored.put({ lane: id, pausedAt: clock.wall() }), apply, id);
    },
    resume: (id) => {
      if (!isInForce(id) && !pauses.has(id)) return errAsync({ code: "unknown-destination" });
      const apply = (): void => {
        if (pauses.has(id)) emit({ kind: "lane-resumed", destination: id });
        pauses.remove(id);
      };
      return keep((stored) => stored.remove(id), apply, id);
    },
    probe: (id) => {
      const { mode, backoff } = status(id);
      if (!isInForce(id)) return errAsync({ code: "unknown-destination" });
      // The mode is another one if the destination is switched off or paused.
      if (mode !== backoff?.kind) return errAsync({ code: "not-probed", mode });
      lanes.probeNow(id);
      return okAsync(status(id));
    },
  };
}
