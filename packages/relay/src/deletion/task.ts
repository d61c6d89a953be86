// What it takes to carry deletion requests out.

import type { AudienceStorage } from "../audience/audience-storage.js";
import type { RelayContext } from "../context.js";
import type { AskDeletions } from "../storage/storage.js";

export interface Task {
  readonly context: RelayContext;
  readonly ask: AskDeletions;
  /** Absent: this relay has none. */
  readonly audiences?: AudienceStorage;
  /** Called when there are notices to deliver. */
  readonly deliver: () => void;
  readonly shouldContinue: () => boolean;
}
