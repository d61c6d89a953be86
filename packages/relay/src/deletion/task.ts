// What it takes to carry deletion requests out.

import type { RelayContext } from "../context.js";
import type { AskDeletions } from "../storage/storage.js";

export interface Task {
  readonly context: RelayContext;
  readonly ask: AskDeletions;
  /** Called when there are notices to deliver. */
  readonly deliver: () => void;
  readonly mayGoOn: () => boolean;
}
