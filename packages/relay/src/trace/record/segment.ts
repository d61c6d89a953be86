// Records one relay: its ports, and what its host asks of it. Each question goes to the real port, and its answer
// reaches the relay in a separate turn, as each timer does. Keeps references; nothing is copied but the calls of the
// host, which may change its objects later.

import type {
  RecordablePorts,
  RecordedSegment,
  SegmentOwner,
  SegmentStart,
  Cancel,
  Clock,
  Random,
} from "@postrider/core";
import { inLaterTurn, REQUESTS_WITH_CALLS } from "../turn.js";
import { type PortParts, type AskPort, audienceStoreOf, httpOf, storeOf } from "../port-methods.js";
import { createTurnLog, type TurnLog, weightOf } from "./turn-log.js";

/** A segment as it lies in the ring. */
export interface LiveSegment extends Pick<TurnLog, "turns" | "keptBytes" | "drop"> {
  readonly start: SegmentStart;
  readonly parts: PortParts;
  readonly owner: SegmentOwner;
  readonly recorded: RecordedSegment;
}

/** Begins to record a relay on these ports. `onTurn` is called at each turn with all that was ever recorded. */
export function createSegment(
  real: RecordablePorts,
  origin: { readonly start: SegmentStart; readonly owner: SegmentOwner },
  onTurn: (totalBytes: number) => void,
): LiveSegment {
  const log = createTurnLog(real.clock, onTurn);
  const { store, audiences } = real;
  log.turn(["created"]);
  return {
    ...origin,
    parts: {
      deletions: store.deletions !== undefined,
      records: store.records !== undefined,
      clock: store.clock !== undefined,
      board: store.board !== undefined,
      outbox: store.outbox !== undefined,
      audiences: audiences !== undefined,
      end: "onEnd" in store,
    },
    turns: log.turns,
    recorded: {
      ports: createRecordedPorts(real, log),
      state: origin.start.state,
      ...recordedHost(log),
      look: log.look,
      observe: (event): void => log.step(["event", event]),
    },
    keptBytes: log.keptBytes,
    drop: log.drop,
  };
}

function recordedHost(log: TurnLog): Pick<RecordedSegment, "ask" | "tell"> {
  return {
    ask: (method, args, run) => {
      const id = log.nextId();
      const recordable = recordableArguments(method, args);
      return new Promise((resolve, reject) => {
        const begin = (): void => {
          run().then(
            (answer) => {
              log.step(["reply", id, answer], weightOf(answer));
              inLaterTurn(() => resolve(answer));
            },
            // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
            (reason: unknown) => inLaterTurn(() => reject(reason)),
          );
        };
        log.laterTurn(["call", id, method, recordable.args], begin, recordable.bytes);
      });
    },
    tell: (method, args, run) => {
      log.turn(["call", log.nextId(), method, args]);
      return run();
    },
  };
}

/** Of a request with calls, the calls as text; none if they are no JSON. */
function recordableArguments(
  method: string,
  args: readonly unknown[],
): { readonly args: readonly unknown[]; readonly bytes: number } {
  if (!REQUESTS_WITH_CALLS.has(method)) return { args, bytes: 0 };
  try {
    const text = JSON.stringify(args[0]);
    return { args: [text], bytes: 2 * text.length };
  } catch {
    return { args: [], bytes: 0 };
  }
}

/** Ports over the real ones that write down what passes. */
function createRecordedPorts(real: RecordablePorts, log: TurnLog): RecordablePorts {
  const ask = recordedAsk(log);
  const { store, audiences } = real;
  const onEnd = store.onEnd?.bind(store);
  const recordedOnEnd =
    onEnd && ((listener: (why: string) => void) => onEnd((why) => log.laterTurn(["ended", why], () => listener(why))));
  return {
    store: storeOf(ask, store, recordedOnEnd),
    ...(audiences === undefined ? {} : { audiences: audienceStoreOf(ask, audiences) }),
    http: httpOf(ask, real.http),
    clock: { ...log.clock, after: recordedTimers(real.clock, log) },
    random: recordedRandom(real.random, log),
  };
}

function recordedAsk(log: TurnLog): AskPort {
  return (question, args, port, method) => {
    const id = log.nextId();
    log.step(["ask", id, question, args], weightOf(args[0]));
    return new Promise((resolve, reject) => {
      call(port, method, args).then(
        (answer) => log.laterTurn(["answer", id, answer], () => resolve(answer), weightOf(answer)),
        // The reason is handed on as the port gave it.
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
        (fault: unknown) => log.laterTurn(["fault", id, fault], () => reject(fault)),
      );
    });
  };
}

/** Asks the real port. An exception becomes a rejection. */
async function call(port: object, method: string, args: readonly unknown[]): Promise<unknown> {
  const ask = (port as Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>)[method];
  return ask?.apply(port, [...args]);
}

function recordedTimers(clock: Clock, log: TurnLog): Clock["after"] {
  return (delayMs, wake): Cancel => {
    const id = log.nextId();
    let isSet = true;
    log.step(["timer", id, delayMs]);
    const cancel = clock.after(delayMs, () =>
      inLaterTurn(() => {
        if (!isSet) return;
        isSet = false;
        log.turn(["timer", id]);
        wake();
      }),
    );
    return () => {
      isSet = false;
      cancel();
    };
  };
}

function recordedRandom(random: Random, log: TurnLog): Random {
  return {
    unit: () => {
      const drawn = random.unit();
      log.step(["unit", drawn]);
      return drawn;
    },
    bytes: (count) => {
      const drawn = random.bytes(count);
      log.step(["bytes", Buffer.from(drawn).toString("hex")]);
      return drawn;
    },
  };
}
