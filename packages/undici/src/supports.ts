// What this adapter keeps of the HTTP contract: all of it. Its neighbour over `fetch` says in its place what it cannot.

/** Each part of the contract that an adapter may be without. */
export const UNDICI_SUPPORTS: {
  readonly [
    Part in
      | "exactHeaders"
      | "rawAnswers"
      | "boundedFraming"
      | "socketFaults"
      | "certificateFaults"
      | "authorities"
      | "strictTls"
      | "vettedAddresses"
      | "ownResolver"
      | "ownConnections"
      | "close"
  ]: true;
} = {
  exactHeaders: true,
  rawAnswers: true,
  boundedFraming: true,
  socketFaults: true,
  certificateFaults: true,
  authorities: true,
  strictTls: true,
  vettedAddresses: true,
  ownResolver: true,
  ownConnections: true,
  close: true,
};
