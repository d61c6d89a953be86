// What this adapter keeps of the HTTP contract: all of it. Its neighbour over `fetch` says here what it cannot.

/** Each part of the contract that an adapter may be without; `true`, or why not. */
export const UNDICI_SUPPORTS: Readonly<Record<string, true>> = {};
