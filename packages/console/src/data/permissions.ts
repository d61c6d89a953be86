// Who may ask what of the API: the table of its operations says it, and what the table does not say is for operators alone, and
// counts as a change (decision: rights of callers). Must not know the paths of the API.

import { type AskedOperation, askedOperation } from "@postrider/api";
import type { RequestHead } from "@postrider/http";
import type { ConsoleUser } from "../access/console-user.js";

/** What a request is for. */
export interface AskedFor {
  /** The operation of the API that it asks for; undefined if there is none. */
  readonly id: AskedOperation["id"] | undefined;
  /** Whether it changes something. */
  readonly isChange: boolean;
  /** Whether its answer is the content of messages. */
  readonly isContent: boolean;
  /** Whether all who look may ask it. */
  readonly isOpen: boolean;
}

/** The message of a delivery, which has a separate path here. */
export const ASKED_MESSAGE: AskedFor = { id: undefined, isChange: false, isContent: true, isOpen: false };

export function askedForOf(head: RequestHead): AskedFor {
  const asked = askedOperation(head);
  const readBy = asked?.readBy;
  return {
    id: asked?.id,
    isChange: asked !== undefined && readBy === undefined,
    isContent: readBy === "content",
    isOpen: readBy === "viewer",
  };
}

/** Whether a user may ask that. */
export function mayAsk(user: ConsoleUser, wanted: AskedFor, canSeeBodies: (user: ConsoleUser) => boolean): boolean {
  if (wanted.isContent) return canSeeBodies(user);
  return wanted.isOpen || user.role === "operator";
}
