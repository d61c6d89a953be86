// The lanes of a relay as several processes share them: the state of each on the board, the changes that others have to be told,
// and the part of the limits that this process may use. Core decides what is told and learnt; `fleet` asks the store.

import {
  type Clock,
  type DestinationId,
  type EndpointId,
  type EpochMs,
  type MonoMs,
  monoMs,
  type ProcessId,
} from "@postrider/core";
import {
  type BoardMoment,
  initialPace,
  isMoved,
  type LaneView,
  type LeasedTokens,
  type Pace,
  type RoundSignal,
  usableLimit,
} from "@postrider/core/engine";
import { type Lane, type LaneCondition, setPace, type SharedLane } from "./lane.js";
import type { LaneMemory } from "../relay-state.js";

const NOT_HASTENED = { isHastened: false, isAfterOwnProbe: false };

const NO_TOKENS: LeasedTokens = { left: 0, until: monoMs(0), askAt: monoMs(0) };

export interface SharedLanes {
  readonly moment: () => BoardMoment;
  /** The lanes that wait for the board, and those of which the others may have to be told. */
  pending(): ReadonlySet<Lane>;
  /** True if the lane waits for the board. */
  isAsking(lane: Lane): boolean;
  /** To be called when the others may have to be told of a lane. */
  note(id: DestinationId): void;
  /** To be called when the others have been told of the lane. */
  settle(lane: Lane): void;
  view(lane: Lane, holds: ReadonlyMap<EndpointId, EpochMs>): LaneView;
  /** Takes over what is known of the lane, apart from its holds. Returns its condition if that has changed. */
  apply(lane: Lane, view: LaneView): LaneCondition | undefined;
  /** Takes over the grant of the board. */
  grant(lane: Lane, grant: LaneGrant): void;
  lane(id: DestinationId): Lane;
  share(): number;
  setShare(share: number): void;
  /** True if no lane has more rounds under way than this process may have. */
  isDrained(): boolean;
  /** Registers the listener that is called when there is something to ask or to tell. */
  onPending(listener: () => void): void;
}

/** A probe, or tokens, that the board has given, or when it can be asked for some again. */
export interface LaneGrant {
  readonly probeUntil?: MonoMs | undefined;
  readonly leased?: LeasedTokens | undefined;
}

/** The methods that the lanes themselves use. */
interface SharedLanesOfRelay extends SharedLanes {
  /** To be called with each new lane. */
  join(lane: Lane): void;
  roundEnded(lane: Lane, paceBefore: Pace, signal: RoundSignal): void;
  /** Lets a probe of the lane be taken before its time. */
  hasten(lane: Lane): void;
  wake(): void;
}

interface SharedLanesOptions {
  readonly lanes: ReadonlyMap<DestinationId, Lane>;
  readonly open: (id: DestinationId) => Lane;
  readonly clock: Pick<Clock, "wall" | "monotonic">;
  readonly process: ProcessId;
  readonly asking: () => ReadonlySet<Lane>;
  readonly update: (lane: Lane) => void;
}

export function createSharedLanes(options: SharedLanesOptions): SharedLanesOfRelay {
  const { lanes, open, clock, process, asking, update } = options;
  const noted = new Set<Lane>();
  let share = 0;
  let wake = (): void => undefined;

  function note(lane: Lane): void {
    noted.add(lane);
    wake();
  }

  return {
    moment: () => ({ process, wall: clock.wall(), monotonic: clock.monotonic() }),
    pending: () => new Set([...noted, ...asking()]),
    isAsking: (lane) => {
      update(lane);
      return asking().has(lane);
    },
    note: (id): void => note(open(id)),
    settle: (lane): void => void noted.delete(lane),
    view: ({ pace, onBoard }, holds) => {
      const { row, isOwnBackoff = false } = onBoard ?? { row: undefined };
      // A backoff that holds the lane and is not on the board has to be told.
      const isUntold = pace.backoff !== undefined && pace.backoff.reason !== "blocked" && row?.backoff === undefined;
      return { pace, holds, row, isOwnBackoff: isOwnBackoff || isUntold };
    },
    apply: (lane, { pace, row, isOwnBackoff }) => {
      const condition = setPace(lane, pace, clock.monotonic());
      if (lane.onBoard !== undefined) {
        Object.assign(lane.onBoard, { row, isOwnBackoff } satisfies Partial<SharedLane>);
        if (lane.onBoard.isAfterOwnProbe && !isProber(lane.onBoard)) Object.assign(lane.onBoard, NOT_HASTENED);
      }
      update(lane);
      return condition;
    },
    grant: (lane, { probeUntil, leased }): void => {
      if (lane.onBoard === undefined) return;
      if (leased !== undefined) lane.onBoard.leased = leased;
      if (probeUntil !== undefined) Object.assign(lane.onBoard, { probeUntil, ...NOT_HASTENED });
      update(lane);
    },
    lane: open,
    share: () => share,
    setShare: (newShare): void => {
      if (newShare === share) return;
      share = newShare;
      for (const lane of lanes.values()) {
        if (lane.onBoard !== undefined) lane.onBoard.share = share;
        update(lane);
      }
    },
    isDrained: () => [...lanes.values()].every((lane) => lane.running <= usableLimit(lane)),
    onPending: (listener): void => {
      wake = listener;
    },
    join: (lane): void => {
      const leased = NO_TOKENS;
      lane.onBoard = { row: undefined, isOwnBackoff: false, probeUntil: undefined, ...NOT_HASTENED, share, leased };
    },
    roundEnded: (lane, paceBefore, signal): void => {
      const { pace, onBoard } = lane;
      if (onBoard === undefined || pace === paceBefore) {
        hastenAfter(lane, signal);
        return;
      }
      // The others are told neither of a block nor of its end, unless a success ends it.
      const isBlocked = pace.backoff?.reason === "blocked";
      const wasBlocked = paceBefore.backoff?.reason === "blocked" && signal !== "success";
      if (pace.backoff !== paceBefore.backoff) onBoard.isOwnBackoff = !isBlocked && !wasBlocked;
      if (pace.backoff !== paceBefore.backoff || isMoved(pace.limit, onBoard.row)) note(lane);
    },
    hasten: (lane): void => {
      const { backoff } = lane.pace;
      if (lane.onBoard === undefined || backoff === undefined || backoff.reason === "blocked") return;
      Object.assign(lane.onBoard, { isHastened: true, isAfterOwnProbe: false } satisfies Partial<SharedLane>);
    },
    wake: (): void => wake(),
  };

  /** A probe that said nothing of the receiver is followed by the next one. */
  function hastenAfter({ pace, onBoard }: Lane, signal: RoundSignal): void {
    if (onBoard === undefined || pace.backoff === undefined) return;
    if (onBoard.isHastened || !isProber(onBoard) || (signal !== "refused" && signal !== "none")) return;
    Object.assign(onBoard, { isHastened: true, isAfterOwnProbe: true } satisfies Partial<SharedLane>);
  }

  /** True if the last probe was taken here, as far as is known. */
  function isProber({ row }: SharedLane): boolean {
    return row?.backoff?.prober === process;
  }
}

/** The memory of a lane without its pace, which the board has, with the changes of other processes. */
export function forgetPace(known: LaneMemory): LaneMemory {
  return { ...known, pace: initialPace(known.pace.spread) };
}
