// The optional parts of the HTTP contract, none of which a fetch can support, with the reason for each. The README shows
// the same table; a test holds the two equal.

interface Unsupported {
  readonly reason: string;
}

/** Each optional part of the contract, and why this adapter does not support it. */
export const FETCH_LIMITS: {
  readonly exactHeaders: Unsupported;
  readonly rawAnswers: Unsupported;
  readonly boundedFraming: Unsupported;
  readonly socketFaults: Unsupported;
  readonly certificateFaults: Unsupported;
  readonly authorities: Unsupported;
  readonly strictTls: Unsupported;
  readonly vettedAddresses: Unsupported;
  readonly ownResolver: Unsupported;
  readonly ownConnections: Unsupported;
  readonly close: Unsupported;
} = {
  exactHeaders: {
    reason: "fetch adds headers: Node's, Accept-Language and Sec-Fetch-Mode; a browser's, User-Agent and Origin too",
  },
  rawAnswers: { reason: "fetch unzips what comes zipped, whatever was asked for; Node's, deflate ahead of us" },
  boundedFraming: { reason: "fetch shows the body alone; what else comes in is read until time is up" },
  socketFaults: { reason: "fetch says only that it failed; what a runtime adds is used where it is known" },
  certificateFaults: { reason: "fetch says only that it failed; what a runtime adds is used where it is known" },
  authorities: { reason: "fetch trusts whom the runtime trusts" },
  strictTls: { reason: "fetch trusts whom the runtime trusts; on Node an environment variable can switch that off" },
  vettedAddresses: { reason: "fetch dials where the name leads and does not say where that is" },
  ownResolver: { reason: "fetch looks names up by itself" },
  ownConnections: { reason: "the runtime keeps the connections" },
  close: { reason: "the runtime keeps the connections" },
};
