// Boards that keep rows wrongly, or replace them when they should not.

import type { BoardTokens } from "@postrider/core";
import { type BoardSteps, overPlainBoard } from "./plain-board.js";
import type { Storage } from "./storage.js";

const following = (follows: BoardSteps["follows"]): (() => Storage) => overPlainBoard({ follows });
const keeping = (kept: BoardSteps["kept"]): (() => Storage) => overPlainBoard({ kept });
const refusing = (refused: BoardSteps["refused"]): (() => Storage) => overPlainBoard({ refused });
const keyedBy = (key: BoardSteps["key"]): (() => Storage) => overPlainBoard({ key });

export const takingLower: () => Storage = following((revision, stored) => revision <= stored + 1);
export const takingEqual: () => Storage = following((revision, stored) => [stored, stored + 1].includes(revision));
export const takingHigher: () => Storage = following((revision, stored) => revision > stored);
export const takingAnyFirst: () => Storage = following((revision, stored) => stored === 0 || revision === stored + 1);
export const takingBy32Bits: () => Storage = following((revision, stored) => (revision | 0) === stored + 1);

export const answeringTheAsked: () => Storage = refusing((asked, stored) => stored && asked);
export const answeringNone: () => Storage = refusing(() => undefined);
export const answeringAbsent: () => Storage = refusing((asked, stored) => stored ?? asked);
export const answeringOnlyHigher: () => Storage = refusing((asked, stored) =>
  stored !== undefined && stored.revision > asked.revision ? stored : undefined,
);

export const droppingProbers: () => Storage = keeping(({ backoff, ...row }) => {
  return backoff === undefined ? row : { ...row, backoff: { probes: backoff.probes, probeAt: backoff.probeAt } };
});
export const mergingRows: () => Storage = keeping((row, before) => ({ ...before, ...row }));
export const keepingProbers: () => Storage = keeping((row, before) => {
  const prober = row.backoff?.prober ?? before?.backoff?.prober;
  return row.backoff === undefined || prober === undefined ? row : { ...row, backoff: { ...row.backoff, prober } };
});
export const roundingTokens: () => Storage = keeping(withTokens(({ left, at }) => ({ left: Math.round(left), at })));
export const floatingTokens: () => Storage = keeping(withTokens(({ left, at }) => ({ left: Math.fround(left), at })));
export const raisingTokens: () => Storage = keeping(withTokens(({ left, at }) => ({ left: Math.max(0, left), at })));
export const droppingZeros: () => Storage = keeping(({ limit, ...row }) => (limit ? { ...row, limit } : row));
export const losingHolds: () => Storage = keeping((row) => ({ ...row, holds: row.holds.slice(0, 9) }));
export const keepingHoldsByTime: () => Storage = keeping((row) => {
  const byTime = new Map(row.holds.map((hold) => [hold.until, hold]));
  return { ...row, holds: [...byTime.values()] };
});
export const keepingHoldsByCase: () => Storage = keeping((row) => {
  const byName = new Map(row.holds.map((hold) => [hold.endpoint.toLowerCase(), hold]));
  return { ...row, holds: [...byName.values()] };
});

export const mergingCases: () => Storage = keyedBy((id) => id.toLowerCase());
export const trimmingIds: () => Storage = keyedBy((id) => id.trim());
export const cuttingIds: () => Storage = keyedBy((id) => id.slice(0, 255));
export const cuttingLongIds: () => Storage = keyedBy((id) => id.slice(-512));

function withTokens(change: (tokens: BoardTokens) => BoardTokens): BoardSteps["kept"] {
  return ({ tokens, ...row }) => (tokens === undefined ? row : { ...row, tokens: change(tokens) });
}
