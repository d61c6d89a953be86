// The parts of the HTTP contract that this adapter supports: all of them. The adapter over `fetch` lists the parts that
// it cannot support.

/** Each optional part of the contract. */
export const UNDICI_SUPPORTS: {
  readonly [
    Part in
      | "exactHeaders"
      | "emptyQueries"
      | "everyStatus"
      | "rawAnswers"
      | "statusLines"
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
  emptyQueries: true,
  everyStatus: true,
  rawAnswers: true,
  statusLines: true,
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
