// The loader queues the calls that are in the storage and not in memory.

import type { Clock } from "@postrider/core";
import type { SerializedCall } from "@postrider/core/batch";
import type { ClientLogger } from "../logger.js";
import type { StorageAccess } from "./storage-access.js";

export interface Loader {
  /** True if calls may be in the storage that are not in memory. */
  isBehind(): boolean;
  /** True if such calls are known of, so that a new one has to stay behind them. */
  holdsBack(): boolean;
  /** Says that this call goes to the storage alone. */
  fallBehind(messageId: string): void;
  /** Looks through the storage from its oldest call again. */
  lookAgain(): void;
  /** To be called when a call has ended, since there may be room then. `isUrgent` reads a storage that has failed, too. */
  retry(isUrgent?: boolean): void;
  /** Resolves once each stored call was queued, or no further one can be, for lack of room or of a storage that works. Never rejects. */
  settled(): Promise<void>;
  /** Queues no further calls. */
  stop(): void;
}

export interface LoaderOptions {
  readonly access: Pick<StorageAccess, "load">;
  readonly clock: Clock;
  readonly logger: ClientLogger;
  /** True if a call is in memory, or is to stay in the storage. */
  readonly isKnown: (messageId: string) => boolean;
  /** Queues a call; false if there is no room. */
  readonly adopt: (call: SerializedCall) => boolean;
  /** Leaves a call in the storage, since its text is damaged. */
  readonly leave: (messageId: string) => void;
}
