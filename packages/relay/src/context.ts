// The context that the parts of a relay share: its ports, the settings in force, and the state that is in memory.

import { type Clock, type HttpPort, type Lease, leaseToken, type Random } from "@postrider/core";
import type { LaneBounds } from "@postrider/core/engine";
import type { ClockWatch } from "./state/watched-clock.js";
import type { Commits } from "./storage/commits.js";
import type { Endpoints } from "./state/endpoints.js";
import type { HandOff } from "./dispatch/hand-off.js";
import type { RelayEvent } from "./relay-event.js";
import type { Lanes } from "./state/lanes.js";
import { TOKEN_BYTES } from "./limits.js";
import type { LocalStreaks } from "./state/local-streaks.js";
import type { SettingsInForce } from "./state/settings-in-force.js";
import type { Storage } from "./storage/storage.js";
import type { PendingCounts } from "./state/pending-counts.js";
import type { Turns } from "./intake/turns.js";

export interface RelayContext {
  readonly storage: Storage;
  readonly commits: Commits;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: SettingsInForce;
  readonly lanes: Lanes;
  readonly handOff: HandOff;
  readonly laneBounds: LaneBounds;
  readonly turns: Turns;
  /**
   * Resolves when a further slice of an arrival may be worked on: in a later turn of the event loop, in each of which a
   * limited number may.
   */
  readonly nextSlice: () => Promise<void>;
  readonly endpoints: Endpoints;
  readonly localStreaks: LocalStreaks;
  readonly tally: PendingCounts;
  readonly clockWatch: ClockWatch;
  /** How often the store is asked for work that another process stored. */
  readonly pollMs: number;
  /** The age in milliseconds from which an unanswered request shows that a store is stalled. */
  readonly stallMs: number;
  readonly emit: (event: RelayEvent) => void;
}

/** Creates a lease with a token that cannot be guessed; its length is that of the settings in force. */
export function newLease({ random, settings }: Pick<RelayContext, "random" | "settings">): Lease {
  const token = leaseToken(writeHex(random.bytes(TOKEN_BYTES)));
  return { token, leaseMs: settings.workspace().delivery.leaseMs };
}

/** Writes bytes as lower case hexadecimal digits. */
export function writeHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += String(HEX[byte]);
  return hex;
}

/** A table, for speed: each commit is given a token. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
