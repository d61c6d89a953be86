// The public shape of what a relay does for a host that must delete users, or block them (spec, webhook destination §1;
// decision: deletion).

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
 * `refused`: the request is not right, and nothing has changed. `not-supported`: the store knows nothing of users.
 * `busy` and `full`: nothing has changed, ask again later. `unavailable`: it may be in force; asking again does no harm
 * beyond a second notice.
 */
export type DeletionFault =
  | { readonly code: "refused"; readonly problems: readonly Problem[] }
  | { readonly code: "not-supported" | "busy" | "full" | RelayFault["code"] };

/** Where the store knows nothing of users, there is nothing to find. */
export interface Deletions {
  /**
   * In force once this resolves: what is stored of these users is not sent any more, but for rounds under way, and
   * suppressed users' calls are not kept. Bodies and notices follow, across restarts; `deletion` says how far they are.
   */
  requestDeletion(request: DeletionRequest): ResultAsync<DeletionId, DeletionFault>;
  deletion(id: DeletionId): ResultAsync<DeletionRecord | undefined, RelayFault>;
  /** Newest first, without the ids of their users. */
  deletionRequests(query: DeletionQuery): ResultAsync<DeletionPage, RelayFault>;
  /** The suppressed users beyond `after`, in an order of the store's own. */
  suppressed(query: { readonly after?: string; readonly limit: number }): ResultAsync<readonly string[], RelayFault>;
}
