// The public interface of a relay for requests to delete or to suppress users (spec, webhook destination §1; decision:
// deletion).

import type {
  DeletionId,
  DeletionPage,
  DeletionQuery,
  DeletionRecord,
  DeletionRequest,
  Problem,
} from "@postrider/core";
import type { ResultAsync } from "neverthrow";
import type { RelayFault } from "../fault.js";

/**
 * `refused`: the request is invalid, and nothing has changed. `not-supported`: the store does not support requests about
 * users. `busy` and `full`: nothing has changed, ask again later. `unavailable`: it may be in force; a repeat does no harm
 * except a second notice.
 */
export type DeletionFault =
  | { readonly code: "refused"; readonly problems: readonly Problem[] }
  | { readonly code: "not-supported" | "busy" | "full" | RelayFault["code"] };

/** If the store does not support requests about users, nothing is found. */
export interface Deletions {
  /**
   * The request is in force once this resolves: if it deletes, stored deliveries of these users are not sent any more, except
   * rounds under way; if it suppresses, calls of these users are not accepted. Purging bodies and sending notices follow, also
   * after a restart; `deletion` answers their progress.
   */
  requestDeletion(request: DeletionRequest): ResultAsync<DeletionId, DeletionFault>;
  deletion(id: DeletionId): ResultAsync<DeletionRecord | undefined, RelayFault>;
  /** Newest first, without the ids of their users. */
  deletionRequests(query: DeletionQuery): ResultAsync<DeletionPage, RelayFault>;
  /** The suppressed users after `after`, in an order that the store chooses. */
  suppressed(query: { readonly after?: string; readonly limit: number }): ResultAsync<readonly string[], RelayFault>;
}
