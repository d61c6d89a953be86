// A client is put together from these parts. A storage, if it has one, acts on the client through `Caller`.

import type { SerializedCall } from "@postrider/core/batch";
import type { Client } from "./client.js";
import type { BatchSender, SenderOptions } from "./create-sender.js";
import type { Timers } from "./create-timers.js";
import type { ClientLogger } from "./logger.js";
import type { FailedCall, FailReason } from "./outcome.js";

/** The parts in which a client with a storage differs from one without. */
export interface CallerParts {
  readonly createSender: (options: SenderOptions) => BatchSender;
  /** Returns the place for a new call; `hasRoom` is true if the queue has room for it. */
  readonly placeOf: (call: SerializedCall, hasRoom: boolean) => "queue" | "storage" | "nowhere";
  /** The name of an option that this client does not have. */
  readonly without?: string;
  /** Called at the end of each call, with the reason if it has failed. Returns true if the host is to be notified. */
  readonly onEnd: (messageId: string, reason: FailReason | undefined) => boolean;
}

export interface Caller {
  readonly client: Client;
  readonly clock: Timers;
  readonly logger: ClientLogger;
  /** Notifies the host of a call that has failed and is not queued. Never throws. */
  tellFailed(call: FailedCall): void;
  /** Refuses further calls, as a closed client does. */
  shut(): void;
  /** Queues a call that was made earlier; false if there is no room, or the client is closed. */
  adopt(call: SerializedCall): boolean;
}
