// The faults with which any request to a relay may end.

/**
 * `unavailable`: it is not known whether the request took effect. It may be repeated; a call with a messageId that was
 * stored is then a duplicate.
 */
export interface RelayFault {
  readonly code: "unavailable" | "corrupt" | "stopped";
}
