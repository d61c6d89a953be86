// The dependencies of carrying out deletion requests.

import type { AudienceStorage } from "../audience/audience-storage.js";
import type { RelayContext } from "../context.js";
import type { AskDeletions } from "../storage/storage.js";

export interface Task {
  readonly context: RelayContext;
  readonly ask: AskDeletions;
  /** Absent if this relay has no audiences. */
  readonly audiences?: AudienceStorage;
  /** Called when there are notices to deliver. */
  readonly deliver: () => void;
  readonly shouldContinue: () => boolean;
}
