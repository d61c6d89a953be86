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
 * `refused`: the request is invalid, and nothing has changed. `not-supported`: the store does not support requests
 * about users. `busy` and `full`: nothing has changed, ask again later. `unavailable`: the request may be in force. To
 * repeat it does no harm, except that destinations may get a second notice for each user.
 */
export type DeletionFault =
  | { readonly code: "refused"; readonly problems: readonly Problem[] }
  | { readonly code: "not-supported" | "busy" | "full" | RelayFault["code"] };

/**
 * The methods of a relay for requests about users. If the store does not support such requests, `requestDeletion` fails
 * with `not-supported` and the other methods find nothing.
 */
export interface Deletions {
  /**
   * Stores a request to delete or to suppress users. The request is in force once the promise resolves: if it deletes,
   * stored deliveries about these users are not sent any more, except in rounds under way; if it suppresses, calls
   * about these users are not accepted. Bodies are purged and notices sent afterwards, also after a restart; `deletion`
   * answers the progress.
   */
  requestDeletion(request: DeletionRequest): ResultAsync<DeletionId, DeletionFault>;
  deletion(id: DeletionId): ResultAsync<DeletionRecord | undefined, RelayFault>;
  /** The requests, newest first, without the ids of their users. */
  deletionRequests(query: DeletionQuery): ResultAsync<DeletionPage, RelayFault>;
  /** The suppressed users after `after`, in an order that the store chooses. */
  suppressed(query: { readonly after?: string; readonly limit: number }): ResultAsync<readonly string[], RelayFault>;
}
