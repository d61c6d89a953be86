// The parts of a relay that audiences may touch, for each of their tasks. A function takes the interface of which it uses all
// (decision: contexts).

import type { Clock, Random } from "@postrider/core";
import type { MessageQueue } from "../intake/message-queue.js";
import type { EmitEvent } from "../relay-event.js";
import type { Lanes } from "../state/lanes.js";
import type { SettingsInForce } from "../state/settings-in-force.js";
import type { AudienceStorage } from "./audience-storage.js";
import type { SyncBounds } from "./audiences.js";

/** The destinations of an audience are changed. */
export interface DefineContext {
  readonly settings: SettingsInForce;
  readonly storage: AudienceStorage;
}

/** The lease on a sync is renewed and checked. */
export interface LeaseContext extends DefineContext {
  readonly clock: Clock;
}

/** An audience or a lease gets a random id. */
export interface NewIdContext extends LeaseContext {
  readonly random: Random;
}

/** Audiences and their syncs. */
export interface AudienceContext extends NewIdContext {
  readonly lanes: Lanes;
  readonly queue: MessageQueue;
  readonly bounds: SyncBounds;
  readonly emit: EmitEvent;
}
