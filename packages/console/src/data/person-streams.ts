// Bounds the streams that one person reads at the same time, so that a viewer with a hundred pages leaves the streams of the process to
// others (decision: rights of callers). People who have logged in with the same token are one person.

import { type Answer, type AnswerStream, overloadedAnswer } from "@postrider/http";
import type { ConsoleUser } from "../access/console-user.js";
import { MAX_STREAMS_PER_PERSON } from "../limits.js";

/** The answer, of which the stream, if it is one, counts for the user while it is read; 503 if the user reads as many as one may. */
export type CountStreams = (user: ConsoleUser, answer: Answer) => Answer;

export function createPersonStreams(): CountStreams {
  const open = new Map<string, number>();

  function openOf(person: string): number {
    return open.get(person) ?? 0;
  }

  function add(person: string, change: 1 | -1): void {
    const left = openOf(person) + change;
    if (left === 0) open.delete(person);
    else open.set(person, left);
  }

  return ({ role, name }, answer) => {
    const { body } = answer;
    if (typeof body !== "function") return answer;
    const person = JSON.stringify([role, name]);
    const isFull = (): boolean => openOf(person) >= MAX_STREAMS_PER_PERSON;
    if (isFull()) return overloadedAnswer();
    const counted: AnswerStream = async function* (signal) {
      // Requests that came together have all passed the check above.
      if (isFull()) return;
      add(person, 1);
      try {
        yield* body(signal);
      } finally {
        add(person, -1);
      }
    };
    return { ...answer, body: counted };
  };
}
