// Accepts requests to delete or to suppress users, and answers queries about them. The store keeps the requests, core
// validates them, and `deletion-work.ts` carries them out.

import {
  type Clock,
  type DeletionId,
  deletionId,
  type DeletionRequest,
  type NewDeletion,
  type Random,
} from "@postrider/core";
import { checkDeletion } from "@postrider/core/engine";
import { errAsync, okAsync, ResultAsync } from "neverthrow";
import { DELETION_ID_BYTES } from "../limits.js";
import { eraseFromOutbox } from "../outbox.js";
import { randomHex } from "../random-hex.js";
import type { EmitEvent } from "../relay-event.js";
import type { SettingsInForce } from "../settings-in-force.js";
import { toRelayFault } from "../fault.js";
import { type AskDeletions, type Storage, whileBusy } from "../commits/storage.js";
import type { DeletionFault, Deletions } from "../requests.js";

const UNSUPPORTED_DELETIONS: Deletions = {
  requestDeletion: () => errAsync({ code: "not-supported" }),
  deletion: () => okAsync(undefined),
  deletionRequests: () => okAsync({ deletions: [], more: false }),
  suppressed: () => okAsync([]),
};

interface DeletionsContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: SettingsInForce;
  readonly storage: Storage;
  readonly emit: EmitEvent;
  /** Called when there is a request to carry out. */
  readonly onRequest: () => void;
}

export function createDeletionRequests(context: DeletionsContext): Deletions {
  const { askDeletions: ask, orStalled } = context.storage;
  if (ask === undefined) return UNSUPPORTED_DELETIONS;
  return {
    requestDeletion: (request) => {
      const problems = checkDeletion(request, knownSources(context.settings));
      if (problems.length > 0) return errAsync({ code: "refused", problems });
      return open(context, ask, newDeletion(context.random, request)).map((id) => {
        context.onRequest();
        return id;
      });
    },
    deletion: (id) => orStalled(() => ask((deletions) => deletions.find(id)).mapErr(toRelayFault)),
    deletionRequests: (query) => orStalled(() => ask((deletions) => deletions.list(query)).mapErr(toRelayFault)),
    suppressed: (query) => orStalled(() => ask((deletions) => deletions.suppressed(query)).mapErr(toRelayFault)),
  };
}

function knownSources(settings: SettingsInForce) {
  return new Set(settings.workspace().sources.map((source) => source.id));
}

function newDeletion(random: Random, { userIds, regulation, sources }: DeletionRequest): NewDeletion {
  return {
    id: deletionId(randomHex(random, DELETION_ID_BYTES)),
    regulation,
    userIds: [...new Set(userIds)],
    sources: sources === undefined ? null : [...new Set(sources)],
  };
}

type OpenContext = Pick<DeletionsContext, "clock" | "emit" | "storage">;

/** Removes the calls of the users from the outbox, then opens the request. */
function open(
  { clock, emit, storage }: OpenContext,
  ask: AskDeletions,
  deletion: NewDeletion,
): ResultAsync<DeletionId, DeletionFault> {
  const { askOutbox } = storage;
  const erased =
    askOutbox === undefined ? okAsync(undefined) : new ResultAsync(eraseFromOutbox(clock, askOutbox, deletion));
  const result = erased.andThen(
    () => new ResultAsync(whileBusy(clock, () => ask((deletions) => deletions.open(deletion, clock.wall())))),
  );
  return result.map(() => {
    const { id, regulation, userIds } = deletion;
    emit({ kind: "deletion-requested", deletion: id, regulation, users: userIds.length });
    return id;
  });
}
