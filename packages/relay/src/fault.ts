// Why a relay could not do as asked, whatever it was.

/** `unavailable`: the outcome is unknown; asking again does no harm. */
export interface RelayFault {
  readonly code: "unavailable" | "corrupt" | "stopped";
}
