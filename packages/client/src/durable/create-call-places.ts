// Keeps the places of the stored calls: in memory, or set aside. Two calls may have one messageId.

import type { FailReason } from "../outcome.js";

export interface CallPlaces {
  enterMemory(messageId: string): void;
  /** Returns true if the host is to be notified: of a call that is set aside it hears once, of one that is held back never. */
  leaveMemory(messageId: string, reason: FailReason | undefined): boolean;
  /** Marks a call before it is set aside: the server may refuse all calls, and not this one alone. */
  holdBack(messageId: string): void;
  setAside(messageId: string): void;
  /** Ends the setting aside of a call: it is to be sent again. */
  resume(messageId: string): void;
  returnAll(): void;
  /** Does so for the calls that were held back; false if there were none. */
  returnHeldBack(): boolean;
  /** True if the call is in memory, or is to stay in the storage. */
  isKnown(messageId: string): boolean;
  /** True if the host was notified that the call is set aside. */
  isTold(messageId: string): boolean;
  inMemory(): number;
  aside(): number;
}

export function createCallPlaces(): CallPlaces {
  /** The number of calls in memory with this messageId. */
  const inMemory = new Map<string, number>();
  let calls = 0;
  const aside = new Set<string>();
  const heldBack = new Set<string>();
  const reported = new Set<string>();

  return {
    enterMemory: (messageId): void => {
      calls += 1;
      inMemory.set(messageId, (inMemory.get(messageId) ?? 0) + 1);
    },
    leaveMemory: (messageId, reason) => {
      calls -= 1;
      const remaining = (inMemory.get(messageId) ?? 1) - 1;
      if (remaining === 0) inMemory.delete(messageId);
      else inMemory.set(messageId, remaining);
      const isNews = reason !== "set-aside" || !(reported.has(messageId) || heldBack.has(messageId));
      if (reason !== "set-aside") reported.delete(messageId);
      else if (isNews) reported.add(messageId);
      return isNews;
    },
    holdBack: (messageId) => void heldBack.add(messageId),
    setAside: (messageId) => void aside.add(messageId),
    resume: (messageId): void => {
      aside.delete(messageId);
      heldBack.delete(messageId);
    },
    returnAll: (): void => {
      aside.clear();
      heldBack.clear();
    },
    returnHeldBack: () => {
      if (heldBack.size === 0) return false;
      for (const messageId of heldBack) aside.delete(messageId);
      heldBack.clear();
      return true;
    },
    isKnown: (messageId) => inMemory.has(messageId) || aside.has(messageId),
    isTold: (messageId) => reported.has(messageId),
    inMemory: () => calls,
    aside: () => aside.size,
  };
}
