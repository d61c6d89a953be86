// The ports of a process that can be killed or frozen. After a kill no pending operation settles, and no further one
// takes effect; earlier commits and requests remain. While the process is frozen, all results and timers wait.

import type {
  AudienceStore,
  Cancel,
  Clock,
  DeliveryStore,
  HttpPort,
  DeletionStore,
  LaneBoard,
  Outbox,
  RecordStore,
} from "@postrider/core";

export interface KillablePorts {
  readonly clock: Clock;
  readonly store: DeliveryStore;
  readonly audiences?: AudienceStore;
  readonly http: HttpPort;
  /** Kills the process. */
  kill(): void;
  /** Freezes the process, as SIGSTOP does. */
  freeze(): void;
  /** Continues the process; the results that have waited arrive in order. */
  thaw(): void;
  /** When it last continued, by the monotonic clock; 0 if it never did. */
  thawedAt(): number;
  isFrozen(): boolean;
}

export function createKillablePorts({
  clock,
  store,
  audiences,
  http,
}: Pick<KillablePorts, "clock" | "store" | "audiences" | "http">): KillablePorts {
  const timers = new Set<Cancel>();
  let life: "alive" | "frozen" | "dead" = "alive";
  let waitingResults: (() => void)[] = [];
  let thawedAt = 0;

  /** Passes on a result or a timer: at once; after the thaw, if the process is frozen; never, if it is dead. */
  function deliver(passOn: () => void): void {
    if (life === "alive") passOn();
    else if (life === "frozen") waitingResults.push(passOn);
  }

  /** Starts the work, and passes on its result. A process that is frozen in the midst of a turn still ends the turn. */
  function whileAlive<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (life === "dead") return;
      work().then(
        (answer) => {
          deliver(() => {
            resolve(answer);
          });
        },
        (error: unknown) => {
          deliver(() => {
            reject(error instanceof Error ? error : new Error(String(error)));
          });
        },
      );
    });
  }

  function after(delayMs: number, wake: () => void): Cancel {
    if (life === "dead") return nothing;
    let isSet = true;
    const withdraw = clock.after(delayMs, () => {
      timers.delete(cancel);
      deliver(() => {
        if (isSet) wake();
      });
    });
    function cancel(): void {
      isSet = false;
      timers.delete(cancel);
      withdraw();
    }
    timers.add(cancel);
    return cancel;
  }

  return {
    clock: { wall: () => clock.wall(), monotonic: () => clock.monotonic(), after },
    store: { ...killableStore(store, whileAlive), ...killableHints(store, { whileAlive, deliver }) },
    ...(audiences === undefined ? {} : { audiences: killableAudiences(audiences, whileAlive) }),
    http: { send: (request) => whileAlive(() => http.send(request)) },
    kill: (): void => {
      life = "dead";
      waitingResults = [];
      for (const cancel of timers) cancel();
    },
    freeze: (): void => {
      if (life === "alive") life = "frozen";
    },
    thaw: (): void => {
      if (life !== "frozen") return;
      life = "alive";
      thawedAt = clock.monotonic();
      for (const passOn of waitingResults) {
        // A separate timer for each result: the work that it starts ends before the next result arrives.
        clock.after(0, () => {
          deliver(passOn);
        });
      }
      waitingResults = [];
    },
    thawedAt: () => thawedAt,
    isFrozen: () => life === "frozen",
  };
}

function nothing(): void {
  // A dead process sets no timer, so there is none to cancel.
}

/** Starts the work if the process is alive, and passes on its result. */
type WhileAlive = <T>(work: () => Promise<T>) => Promise<T>;

function killableStore(store: DeliveryStore, whileAlive: WhileAlive): DeliveryStore {
  return {
    commit: (changes, now) => whileAlive(() => store.commit(changes, now)),
    claim: (request, now) => whileAlive(() => store.claim(request, now)),
    lanes: (page, now) => whileAlive(() => store.lanes(page, now)),
    end: (request, now) => whileAlive(() => store.end(request, now)),
    pullIn: (request, now) => whileAlive(() => store.pullIn(request, now)),
    find: (id) => whileAlive(() => store.find(id)),
    list: (query) => whileAlive(() => store.list(query)),
    seen: (query, now) => whileAlive(() => store.seen(query, now)),
    counts: () => whileAlive(() => store.counts()),
    sweep: (request, now) => whileAlive(() => store.sweep(request, now)),
    ...(store.deletions === undefined ? {} : { deletions: killableDeletions(store.deletions, whileAlive) }),
    ...(store.records === undefined ? {} : { records: killableRecords(store.records, whileAlive) }),
    ...killableChanges(store, whileAlive),
    ...(store.board === undefined ? {} : { board: killableBoard(store.board, whileAlive) }),
    ...killableClock(store, whileAlive),
    ...(store.outbox === undefined ? {} : { outbox: killableOutbox(store.outbox, whileAlive) }),
    close: () => whileAlive(() => store.close()),
  };
}

function killableChanges({ laneChanges }: DeliveryStore, whileAlive: WhileAlive): Pick<DeliveryStore, "laneChanges"> {
  return laneChanges === undefined
    ? {}
    : { laneChanges: { read: (query) => whileAlive(() => laneChanges.read(query)) } };
}

function killableClock({ clock }: DeliveryStore, whileAlive: WhileAlive): Pick<DeliveryStore, "clock"> {
  return clock === undefined ? {} : { clock: { wall: () => whileAlive(() => clock.wall()) } };
}

function killableOutbox(outbox: Outbox, whileAlive: WhileAlive): Outbox {
  return {
    add: (call, run) => whileAlive(() => outbox.add(call, run)),
    read: (query) => whileAlive(() => outbox.read(query)),
    count: (query) => whileAlive(() => outbox.count(query)),
    remove: (ids) => whileAlive(() => outbox.remove(ids)),
  };
}

interface HintWay {
  readonly whileAlive: WhileAlive;
  /** Passes on what has arrived, if the process can take it. */
  readonly deliver: (passOn: () => void) => void;
}

function killableHints({ hints }: DeliveryStore, { whileAlive, deliver }: HintWay): Pick<DeliveryStore, "hints"> {
  if (hints === undefined) return {};
  return {
    hints: {
      tell: (lanes) => whileAlive(() => hints.tell(lanes)),
      listen: (onHint) => hints.listen((lanes) => deliver(() => onHint(lanes))),
    },
  };
}

function killableBoard(board: LaneBoard, whileAlive: WhileAlive): LaneBoard {
  return {
    beat: (request, now) => whileAlive(() => board.beat(request, now)),
    write: (rows) => whileAlive(() => board.write(rows)),
    leave: (process) => whileAlive(() => board.leave(process)),
  };
}

function killableRecords(records: RecordStore, whileAlive: WhileAlive): RecordStore {
  return {
    put: (record) => whileAlive(() => records.put(record)),
    find: (kind, key, above) => whileAlive(() => records.find(kind, key, above)),
    list: (query) => whileAlive(() => records.list(query)),
    remove: (kind, key) => whileAlive(() => records.remove(kind, key)),
  };
}

function killableDeletions(deletions: DeletionStore, whileAlive: WhileAlive): DeletionStore {
  return {
    open: (deletion, now) => whileAlive(() => deletions.open(deletion, now)),
    purge: (slice, now) => whileAlive(() => deletions.purge(slice, now)),
    finish: (id, now) => whileAlive(() => deletions.finish(id, now)),
    find: (id) => whileAlive(() => deletions.find(id)),
    list: (query) => whileAlive(() => deletions.list(query)),
    suppressed: (query) => whileAlive(() => deletions.suppressed(query)),
  };
}

function killableAudiences(audiences: AudienceStore, whileAlive: WhileAlive): AudienceStore {
  return {
    records: killableRecords(audiences.records, whileAlive),
    append: (set, members) => whileAlive(() => audiences.append(set, members)),
    read: (set, after) => whileAlive(() => audiences.read(set, after)),
    sets: (prefix) => whileAlive(() => audiences.sets(prefix)),
    drop: (set) => whileAlive(() => audiences.drop(set)),
    erase: (set, userIds) => whileAlive(() => audiences.erase(set, userIds)),
    scrub: () => whileAlive(() => audiences.scrub()),
    close: () => whileAlive(() => audiences.close()),
  };
}
