// The questions that cross: each method of each port, by a name that both ends know, and how its arguments and its answer
// are packed. The types hold this complete: a method that a port gains has to be given its line here.

import type { AudienceStore, DeletionStore, DeliveryStore } from "@postrider/core";
import { COMMITTED, COMMITTING } from "./commit-packing.js";
import { CLAIMED, FOUND } from "./delivery-packing.js";
import { asJson, type Packing } from "./parcel.js";

export interface Question<Args extends readonly unknown[], Answer> {
  readonly name: string;
  readonly args: Packing<Args>;
  readonly answer: Packing<Answer>;
}

/** A question for each method. */
export type QuestionsOf<Port> = {
  readonly [Method in keyof Port]: Port[Method] extends (...args: infer Args) => Promise<infer Answer>
    ? Question<Args, Answer>
    : never;
};

export const DELIVERIES: QuestionsOf<Omit<DeliveryStore, "deletions" | "onEnd">> = {
  commit: { name: "commit", args: COMMITTING, answer: COMMITTED },
  claim: { name: "claim", args: asJson(), answer: CLAIMED },
  lanes: plain("lanes"),
  end: plain("end"),
  pullIn: plain("pull-in"),
  find: { name: "find", args: asJson(), answer: FOUND },
  list: plain("list"),
  seen: plain("seen"),
  counts: plain("counts"),
  sweep: plain("sweep"),
  close: plain("close"),
};

export const DELETIONS: QuestionsOf<DeletionStore> = {
  open: plain("deletions/open"),
  purge: plain("deletions/purge"),
  finish: plain("deletions/finish"),
  find: plain("deletions/find"),
  list: plain("deletions/list"),
  suppressed: plain("deletions/suppressed"),
};

export const AUDIENCES: QuestionsOf<AudienceStore> = {
  create: plain("audiences/create"),
  find: plain("audiences/find"),
  list: plain("audiences/list"),
  replace: plain("audiences/replace"),
  append: plain("audiences/append"),
  read: plain("audiences/read"),
  sets: plain("audiences/sets"),
  drop: plain("audiences/drop"),
  erase: plain("audiences/erase"),
  scrub: plain("audiences/scrub"),
  close: plain("audiences/close"),
};

function plain<Args extends readonly unknown[], Answer>(name: string): Question<Args, Answer> {
  return { name, args: asJson(), answer: asJson() };
}
