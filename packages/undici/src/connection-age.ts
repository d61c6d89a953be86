// How long each connection may be used: about the same time, a fifth more or less, so that connections that were made together
// do not end together (decision: connections have an age). Needs no chance: each is far from those before it.

import { CONNECTION_AGE_SPREAD } from "./limits.js";

/** The part of the circle by which points that are added one by one stay the most evenly spread. */
const GOLDEN = 0.618_033_988_749_895;

/** Returns a function that says how long the next connection may be used, in milliseconds. */
export function createAges(meanMs: number): () => number {
  let place = 0;
  return () => {
    place = (place + GOLDEN) % 1;
    return meanMs * (1 - CONNECTION_AGE_SPREAD + 2 * CONNECTION_AGE_SPREAD * place);
  };
}
