// What a client is put together from, and what its storage, if it has one, may do with it.

import type { Clock } from "@postrider/core";
import type { SerializedCall } from "@postrider/core/batch";
import type { Client } from "./client.js";
import type { BatchSender, SenderOptions } from "./create-sender.js";
import type { ClientLogger } from "./logger.js";
import type { FailedCall, FailReason } from "./outcome.js";

/** What differs between a client with a storage and one without. */
export interface CallerParts {
  readonly createSender: (options: SenderOptions) => BatchSender;
  /** Where a new call goes, `hasRoom` saying whether the queue has room for it. */
  readonly placeOf: (call: SerializedCall, hasRoom: boolean) => "queue" | "storage" | "nowhere";
  /** An option that this client does not have. */
  readonly without?: string;
  /** Hears of the end of each call: why it has failed, or undefined if it was delivered. Whether the host is to hear of it. */
  readonly onEnd: (messageId: string, reason: FailReason | undefined) => boolean;
}

export interface Caller {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: ClientLogger;
  /** Tells the host of a call that has failed and is not queued. Never throws. */
  tellFailed(call: FailedCall): void;
  /** Refuses further calls, as a closed client does. */
  shut(): void;
  /** Queues a call that was made before; false if there is no room, or the client is closed. */
  adopt(call: SerializedCall): boolean;
}
