// The port of recording: a relay asks a recorder for the ports that it runs on, and passes the requests of its host to it. A recorder of an
// incident writes all of it down; one that replays an incident answers from the recording (decision: traces).

import type { AudienceStore } from "./audience-store.js";
import type { Clock, Random } from "./clock.js";
import type { DeliveryStore } from "./delivery-store.js";
import type { HttpPort } from "./http.js";

/** The ports of a relay that can be recorded. */
export interface RecordablePorts {
  readonly store: DeliveryStore;
  readonly audiences?: AudienceStore;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Random;
}

/** The beginning of a segment: plain data, except for the secrets in the settings. */
export interface SegmentStart {
  /** The settings of the relay, and its numbers. */
  readonly settings: object;
  /** The state that the relay before this one had in memory; absent for the first relay. */
  readonly state?: object;
}

/** The record of one relay, from its creation until another takes over or the recording ends. */
export interface RecordedSegment {
  readonly ports: RecordablePorts;
  /** The state that the relay begins with. */
  readonly state: object | undefined;
  /** Runs a request of the host in a separate loop turn, and hands out the answer in a later loop turn. */
  ask<T>(method: string, args: readonly unknown[], run: () => PromiseLike<T>): Promise<T>;
  /** Runs a request of the host that is answered at once, and that changes the relay. */
  tell<T>(method: string, args: readonly unknown[], run: () => T): T;
  /** Runs a query of the host that is answered at once. It changes nothing and is not recorded; the clock is the real one. */
  look<T>(run: () => T): T;
  /** Records a relay event. */
  observe(event: object): void;
}

/** The questions that a recorder can ask of the relay whose segment it keeps. */
export interface SegmentOwner {
  /** Another relay takes over and begins a segment, if that is possible now. */
  renew(): void;
  /** The relay begins no further work: another has taken over. */
  retire(): Promise<void>;
}

/** The port that records a relay, or replays one. Given to a relay as one of its ports. */
export interface RelayRecorder {
  /** Begins a segment. */
  begin(start: SegmentStart, owner: SegmentOwner): RecordedSegment;
}
