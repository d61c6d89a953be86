// The ports of a recorded relay: each question goes to the real port, and its answer reaches the relay in a separate turn, as
// each timer does. Does not know what a question means.

import type { Cancel, Clock, Random, RecordablePorts } from "@postrider/core";
import { inLaterTurn } from "../later-turn.js";
import { type AskPort, audienceStoreOf, httpOf, storeOf } from "../port-methods.js";
import type { TurnLog } from "./turn-log.js";
import { weightOf } from "./weigh.js";

/** Ports over the real ones that write down what passes. */
export function createRecordedPorts(real: RecordablePorts, log: TurnLog): RecordablePorts {
  const ask = recordedAsk(log);
  const { store, audiences } = real;
  const onEnd = store.onEnd?.bind(store);
  const later =
    onEnd && ((listener: (why: string) => void) => onEnd((why) => log.later(["ended", why], () => listener(why))));
  return {
    store: storeOf(ask, store, later),
    ...(audiences === undefined ? {} : { audiences: audienceStoreOf(ask, audiences) }),
    http: httpOf(ask, real.http),
    clock: { ...log.clock, after: recordedTimers(real.clock, log) },
    random: recordedRandom(real.random, log),
  };
}

function recordedAsk(log: TurnLog): AskPort {
  return (question, args, port, method) => {
    const id = log.next();
    log.step(["ask", id, question, args], weightOf(args[0]));
    return new Promise((resolve, reject) => {
      call(port, method, args).then(
        (answer) => log.later(["answer", id, answer], () => resolve(answer), weightOf(answer)),
        // The reason is handed on as the port gave it.
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
        (fault: unknown) => log.later(["fault", id, fault], () => reject(fault)),
      );
    });
  };
}

/** Asks the real port. An exception becomes a rejection. */
async function call(port: object, method: string, args: readonly unknown[]): Promise<unknown> {
  const asked = (port as Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>)[method];
  return asked?.apply(port, [...args]);
}

function recordedTimers(clock: Clock, log: TurnLog): Clock["after"] {
  return (delayMs, wake): Cancel => {
    const id = log.next();
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
