// The parts of a relay that audiences may touch, for each of their tasks. A function takes the interface of which it
// uses all members (decision: contexts).

import type { Clock, Random } from "@postrider/core";
import type { MessageQueue } from "../intake/enqueue.js";
import type { EmitEvent } from "../relay-event.js";
import type { Lanes } from "../lanes/lanes.js";
import type { SettingsInForce } from "../settings-in-force.js";
import type { AudienceStorage } from "./audience-storage.js";
import type { SyncBounds } from "./audiences.js";

/** Needed to change the destinations of an audience. */
export interface DefineContext {
  readonly settings: SettingsInForce;
  readonly storage: AudienceStorage;
}

/** Needed to renew and to check the lease on a sync. */
export interface LeaseContext extends DefineContext {
  readonly clock: Clock;
}

/** Needed to create an audience or a lease, each with a random id. */
export interface NewIdContext extends LeaseContext {
  readonly random: Random;
}

/** Needed for audiences and their syncs. */
export interface AudienceContext extends NewIdContext {
  readonly lanes: Lanes;
  readonly queue: MessageQueue;
  readonly bounds: SyncBounds;
  readonly emit: EmitEvent;
}
