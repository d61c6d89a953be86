// One command of a run: its request is made from drawn data and the current deliveries, is sent to one of the open
// stores, and the model checks the answer. Then the whole state is compared.

import {
  type DeletionId,
  type DeliveryId,
  deliveryId,
  type DeliveryStore,
  type EpochMs,
  leaseToken,
  type LeaseToken,
  plusMs,
} from "@postrider/core";
import fc from "fast-check";
import { expectAgreement } from "./compare.js";
import { isUnfinished, type Model, type ModelDelivery, type ModelRequest } from "./model.js";
import { deletionIds } from "./names.js";
import type { Snapshot } from "./snapshot.js";
import { isOutOfReach } from "./users.js";
import type { TestedStorage } from "./tested-storage.js";

export type StoreCommand = fc.AsyncCommand<Model, TestedStorage>;

/** The state in which a command runs. */
export interface DrawContext {
  readonly model: Model;
  readonly now: EpochMs;
  /** The keys of the attempts that requests of the command contain so far: none may be repeated. */
  readonly attemptKeys: Set<string>;
  /** True if requests are sent together, so that a store's choices cannot be read from its state afterwards. */
  readonly isShared: boolean;
  /** True if commands of the run concern users. */
  readonly hasUsers: boolean;
}

/** A drawn value that becomes definite when its command runs: a position becomes a delivery, a distance an instant. */
export type Drawn<T> = (there: DrawContext) => T;

export interface CommandSpec<Asked, Answer> {
  readonly name: string;
  /** True if the command changes nothing. */
  readonly isRead?: boolean;
  readonly drawn: fc.Arbitrary<Drawn<Asked>>;
  /**
   * The process or record that the command changes, if neither its answer nor the state of the store shows in which order two such changes
   * took effect: they are not sent together.
   */
  readonly subjectOf?: (request: Asked) => string;
  readonly send: (store: DeliveryStore, request: Asked, now: EpochMs) => Promise<Answer>;
  /** Changes the bytes that were passed in, so that a store which kept them is found. */
  readonly spoil?: (request: Asked) => void;
  /** Throws on an answer that the port does not allow; otherwise updates the model. */
  readonly follow: (model: Model, step: QuestionStep<Asked, Answer>) => void;
  /** The answer that a store would have given, if no answer came. */
  readonly presume?: (model: Model, step: Omit<QuestionStep<Asked, Answer>, "answer">) => Answer;
}

export interface QuestionStep<Asked, Answer> {
  readonly request: Asked;
  readonly answer: Answer;
  readonly now: EpochMs;
  /** The state of the store after the command, from which the model reads what the store chose. */
  readonly seen: Snapshot;
  /** True if only one store was ever opened on the storage. */
  readonly isAlone: boolean;
  /** The number of deliveries before this command and those that were sent together with it. */
  readonly since: number;
}

/** The input of the model besides the request and the answer. */
export type After = Pick<QuestionStep<unknown, unknown>, "seen" | "isAlone" | "since">;

/** A request that is not definite yet. */
export interface Question {
  readonly name: string;
  pose(there: DrawContext): PosedQuestion;
}

export interface PosedQuestion {
  readonly name: string;
  readonly isRead: boolean;
  readonly request: unknown;
  readonly subject: string | undefined;
  send(store: DeliveryStore): Promise<FollowUp>;
  /** Updates the model if the request took effect, and no answer came. */
  readonly unanswered: FollowUp;
}

/** Updates the model, or throws if the answer to a request does not agree with it. */
export type FollowUp = (model: Model, after: After) => void;

export function questionsOf<Asked, Answer>(spec: CommandSpec<Asked, Answer>): fc.Arbitrary<Question> {
  const { name, isRead = false, drawn, subjectOf, send, spoil, follow, presume } = spec;
  return drawn.map((draw) => ({
    name,
    pose: (there): PosedQuestion => {
      const { now } = there;
      const request = draw(there);
      const requestCopy = structuredClone(request);
      return {
        name,
        isRead,
        request: requestCopy,
        subject: subjectOf?.(requestCopy),
        send: async (store): Promise<FollowUp> => {
          const answer = await send(store, request, now);
          spoil?.(request);
          return (model, after) => {
            follow(model, { request: requestCopy, answer, now, ...after });
          };
        },
        unanswered: (model, after): void => {
          if (presume === undefined) throw new Error(`${name} was not answered`);
          follow(model, {
            request: requestCopy,
            answer: presume(model, { request: requestCopy, now, ...after }),
            now,
            ...after,
          });
        },
      };
    },
  }));
}

/** Commands that ask one question, and wait for its answer. */
export function commandsOf(questions: fc.Arbitrary<Question>): fc.Arbitrary<StoreCommand> {
  return fc.tuple(questions, fc.nat(5)).map(([question, place]) => ({
    check: () => true,
    toString: () => question.name,
    run: async (model, tested): Promise<void> => {
      const there = { model, now: tested.now(), attemptKeys: new Set<string>(), isShared: false, hasUsers: true };
      const posed = question.pose(there);
      tested.note(question.name, posed.request);
      const followUp = await posed.send(tested.storeAt(place));
      const views = await tested.lookAtAll(model);
      followUp(model, { seen: views[0], isAlone: tested.isAlone(), since: model.deliveries.length });
      for (const view of views) expectAgreement(model, view);
    },
  }));
}

/** Several of these commands, one right after the other: what follows a rare one is then another rare one. */
export function inARow(rareCommands: readonly fc.Arbitrary<StoreCommand>[]): fc.Arbitrary<StoreCommand> {
  return fc.array(fc.oneof(...rareCommands), { minLength: 2, maxLength: 4, size: "max" }).map((commands) => ({
    check: () => true,
    toString: () => commands.map(String).join(", then "),
    run: async (model, tested): Promise<void> => {
      for (const command of commands) await command.run(model, tested);
    },
  }));
}

/** Instants are on a grid, so that many are equal: stores often fail at boundaries. */
export const STEP_MS = 100;

/** An instant from `minMs` to `maxMs` after the start of the command. */
export function nearbyInstants(minMs: number, maxMs: number): fc.Arbitrary<Drawn<EpochMs>> {
  const steps = fc.integer({ min: minMs / STEP_MS, max: maxMs / STEP_MS });
  return steps.map(
    (step) =>
      ({ now }) =>
        plusMs(now, step * STEP_MS),
  );
}

/** The kinds of deliveries to draw from. A kind that is named twice is drawn twice as often. */
export type DeliveryKinds = readonly ("claimed" | "lost" | "finished" | "all")[];

type IsOfKind = (delivery: ModelDelivery, model: Model) => boolean;

const isClaimed: IsOfKind = ({ state }) => state === "claimed";

const IS_OF_KIND: Readonly<Record<DeliveryKinds[number], IsOfKind>> = {
  claimed: isClaimed,
  /** Claimed and out of reach; if there is none, claimed. */
  lost: (delivery, model) => {
    const isLost: IsOfKind = (one) => isClaimed(one, model) && isOutOfReach(model, one);
    return model.deliveries.some((one) => isLost(one, model)) ? isLost(delivery, model) : isClaimed(delivery, model);
  },
  finished: (delivery) => !isUnfinished(delivery),
  all: () => true,
};

/** A delivery that exists at the time of the command, swept ones included; undefined if there is none. */
export function drawnDeliveries(...among: DeliveryKinds): fc.Arbitrary<Drawn<ModelDelivery | undefined>> {
  return fc.tuple(fc.constantFrom(...among), fc.nat(99)).map(([meant, place]) => ({ model }) => {
    const isMeant: IsOfKind = IS_OF_KIND[meant];
    const there = model.deliveries.filter((delivery) => isMeant(delivery, model));
    return there[place % there.length];
  });
}

/** The id of a request about users: mostly of one that is `wanted`, if there is one. */
export function drawnRequests(
  wanted: (request: ModelRequest) => boolean = ({ finishedAt }) => finishedAt === undefined,
): fc.Arbitrary<Drawn<DeletionId>> {
  return fc.tuple(fc.nat(9), fc.nat(9), deletionIds).map(([kind, place, other]) => ({ model }) => {
    const preferred = model.requests.filter(wanted);
    const among = kind < 7 && preferred.length > 0 ? preferred : model.requests;
    return kind === 9 ? other : (among[place % among.length]?.id ?? other);
  });
}

/** The id of the delivery; if there is none, an id that no delivery has. */
export function idOrUnknown(delivery: ModelDelivery | undefined): DeliveryId {
  return delivery?.id ?? deliveryId("no such delivery");
}

/**
 * The token of a lease. A relay never uses a token twice; alone, a command may. Of commands that are sent together, one with the token of
 * a lease that has just ended would leave open which of two leases a settlement beside it means.
 */
export function freeToken(drawn: LeaseToken, there: DrawContext): LeaseToken {
  const { model, isShared } = there;
  const isUsed = model.deliveries.some(({ token }) => token === drawn);
  return isShared && isUsed ? freeToken(leaseToken(`${drawn}'`), there) : drawn;
}
