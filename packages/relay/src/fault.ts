// The reasons why a relay could not do a request, of any kind.

/** `unavailable`: the outcome is unknown; the request can be repeated without harm. */
export interface RelayFault {
  readonly code: "unavailable" | "corrupt" | "stopped";
}
