// The dependencies of carrying out deletion requests, for each of their steps. A function takes the interface of which
// it uses all members.

import type { Clock } from "@postrider/core";
import type { AudienceStorage } from "../audience/audience-storage.js";
import type { MessageQueue } from "../intake/enqueue.js";
import type { EmitEvent } from "../relay-event.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { AskDeletions } from "../commits/storage.js";

/** Needed to purge bodies. */
export interface PurgeTask extends FinishTask {
  readonly shouldContinue: () => boolean;
}

/** Needed to erase users from audiences. */
export interface EraseTask {
  readonly clock: Clock;
  readonly shouldContinue: () => boolean;
  /** Absent if this relay has no audiences. */
  readonly audiences?: AudienceStorage;
}

/** Needed to store notices. */
export interface NotifyTask {
  readonly clock: Clock;
  readonly shouldContinue: () => boolean;
  readonly settings: SettingsInForce;
  readonly queue: MessageQueue;
}

/** Needed to finish a request. */
export interface FinishTask {
  readonly clock: Clock;
  readonly ask: AskDeletions;
  readonly emit: EmitEvent;
}

/** Needed for all steps of a request. */
export interface Task extends PurgeTask, EraseTask, NotifyTask, FinishTask {}
