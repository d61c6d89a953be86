// Counts the bytes that requests hold in memory, so that all of them together stay within a bound. A budget may be a
// part of another budget: its bytes count in both. Does not know what the bytes are, nor what a caller is told when
// they do not fit.

/** A bound on the bytes that many requests hold together. */
export interface ByteBudget {
  /** Whether this many more bytes fit now. */
  fits(bytes: number): boolean;
  /** How many bytes are reserved now. */
  reserved(): number;
  /** Opens a reservation for one request; it has no bytes at first. */
  open(): Reservation;
}

/** The bytes of one request. */
export interface Reservation {
  /** Reserves this many more bytes and returns true; reserves none and returns false if they do not fit. */
  reserve(bytes: number): boolean;
  /** Gives back all bytes of this reservation. */
  release(): void;
}

/** A budget of `limitBytes`. If `whole` is given, this budget is a part of it: bytes have to fit into both. */
export function createByteBudget(limitBytes: number, whole?: ByteBudget): ByteBudget {
  let reserved = 0;
  const fits = (bytes: number): boolean => reserved + bytes <= limitBytes && whole?.fits(bytes) !== false;
  return { fits, reserved: () => reserved, open: openReservation };

  function openReservation(): Reservation {
    const ofWhole = whole?.open();
    let own = 0;
    return {
      reserve: (bytes) => {
        if (!fits(bytes)) return false;
        ofWhole?.reserve(bytes);
        reserved += bytes;
        own += bytes;
        return true;
      },
      release: () => {
        ofWhole?.release();
        reserved -= own;
        own = 0;
      },
    };
  }
}
