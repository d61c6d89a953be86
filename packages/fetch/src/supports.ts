// The optional parts of the HTTP contract, none of which a fetch can support, with the reason for each. The README
// shows the same table; a test compares them.

interface Unsupported {
  readonly reason: string;
}

/** Each optional part of the contract, and why this adapter does not support it. */
export const FETCH_LIMITS: {
  readonly exactHeaders: Unsupported & { readonly adds: readonly string[] };
  readonly emptyQueries: Unsupported;
  readonly everyStatus: Unsupported;
  readonly rawAnswers: Unsupported;
  readonly statusLines: Unsupported;
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
    reason:
      "fetch adds headers: on Node Accept-Language and Sec-Fetch-Mode, in browsers also User-Agent and Origin; and Accept, Accept-Encoding and User-Agent to a request without them",
    adds: ["accept", "accept-encoding", "accept-language", "sec-fetch-mode", "user-agent"],
  },
  emptyQueries: { reason: "Node's fetch leaves out a `?` at the end of a URL" },
  everyStatus: { reason: "fetch fails on 407, and on 421 it sends the request once more, on a new connection" },
  rawAnswers: { reason: "fetch unzips every zipped answer; Node unzips deflate before this adapter reads it" },
  statusLines: {
    reason:
      "fetch shows no status until the head is whole, fails if the runtime's parser dislikes it, and Node's fails on 100",
  },
  boundedFraming: { reason: "fetch shows only the body; all other bytes of an answer are read until the timeout" },
  socketFaults: { reason: "fetch says only that it failed; a cause that the runtime adds is used if known" },
  certificateFaults: { reason: "fetch says only that it failed; a cause that the runtime adds is used if known" },
  authorities: { reason: "fetch trusts the authorities that the runtime trusts" },
  strictTls: {
    reason: "fetch checks certificates as the runtime does; on Node an environment variable can switch that off",
  },
  vettedAddresses: { reason: "fetch resolves the name and does not show the address that it dials" },
  ownResolver: { reason: "fetch resolves names by itself" },
  ownConnections: { reason: "the runtime manages the connections" },
  close: { reason: "the runtime manages the connections" },
};
