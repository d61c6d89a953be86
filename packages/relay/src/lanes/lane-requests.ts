// Carries out what an operator asks of one lane: pause, resume, probe. The store keeps the pauses (decision: pauses of an
// operator), and `settings-in-force.ts` what this process knows of them.

import type { Clock, DestinationId, LaneStatus } from "@postrider/core";
import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { type LaneStatusContext, laneStatusOf } from "./lane-statuses.js";
import type { EmitEvent } from "../relay-event.js";
import type { Lanes } from "./lanes.js";
import type { OperatorPauses } from "../settings-in-force.js";
import { toRelayFault } from "../fault.js";
import type { AskPauses, Storage } from "../commits/storage.js";
import { whileBusy } from "../commits/retry.js";
import type { LaneFault, LaneRequests } from "../requests.js";

interface LaneRequestsContext extends LaneStatusContext {
  readonly clock: Clock;
  readonly storage: Pick<Storage, "askPauses">;
  readonly lanes: Pick<Lanes, "known" | "applyTerms" | "probeNow">;
  readonly pauses: OperatorPauses;
  readonly emit: EmitEvent;
}

export function createLaneRequests(context: LaneRequestsContext): LaneRequests {
  const { clock, lanes, pauses, settings, emit } = context;
  const { askPauses } = context.storage;

  const isInForce = (id: DestinationId): boolean => settings.destination(id) !== undefined;
  const status = (id: DestinationId): LaneStatus => laneStatusOf(context, id);

  /** Has the store keep a change, and then applies it. */
  function keep(
    ask: Parameters<AskPauses>[0],
    apply: () => void,
    id: DestinationId,
  ): ResultAsync<LaneStatus, LaneFault> {
    if (askPauses === undefined) return errAsync({ code: "not-supported" });
    const kept = whileBusy(clock, () => askPauses(ask));
    return new ResultAsync(kept).mapErr(toRelayFault).map(() => {
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
      return keep((store) => store.add(id, clock.wall()), apply, id);
    },
    resume: (id) => {
      if (!isInForce(id) && !pauses.has(id)) return errAsync({ code: "unknown-destination" });
      const apply = (): void => {
        if (pauses.has(id)) emit({ kind: "lane-resumed", destination: id });
        pauses.remove(id);
      };
      return keep((store) => store.remove(id), apply, id);
    },
    probe: (id) => {
      const { mode, backoff } = status(id);
      if (!isInForce(id)) return errAsync({ code: "unknown-destination" });
      if (mode !== backoff?.kind) return errAsync({ code: "not-probed", mode });
      lanes.probeNow(id);
      return okAsync(status(id));
    },
  };
}
