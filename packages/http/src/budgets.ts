// Counts the requests under way and the bytes that they hold in memory, in all and for each network, so that all of them together stay
// within a bound. A reservation lasts until the work on its request succeeds or fails (decision: limits on callers). The code that makes a
// reservation refuses the request if it does not fit.

/** A bound on the bytes that many requests hold together. */
export interface ByteBudget {
  /** True if this many more bytes fit now. */
  fits(bytes: number): boolean;
  /** The number of bytes that are reserved now. */
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
    const wholeReservation = whole?.open();
    let requestBytes = 0;
    return {
      reserve: (bytes) => {
        if (!fits(bytes)) return false;
        wholeReservation?.reserve(bytes);
        reserved += bytes;
        requestBytes += bytes;
        return true;
      },
      release: () => {
        wholeReservation?.release();
        reserved -= requestBytes;
        requestBytes = 0;
      },
    };
  }
}

/**
 * Returns a function from an address to its budget: `limitBytes` of `whole` for its network; `whole` if the address is unknown.
 */
export function createNetworkBudgets(
  limitBytes: number,
  whole: ByteBudget,
): (address: string | undefined) => ByteBudget {
  const networks = new Map<string, { readonly budget: ByteBudget; requests: number }>();
  return (address) => {
    const network = networkOf(address);
    return network === undefined ? whole : budgetOf(network);
  };

  function budgetOf(network: string): ByteBudget {
    const entry = networks.get(network) ?? { budget: createByteBudget(limitBytes, whole), requests: 0 };
    return {
      fits: (bytes) => entry.budget.fits(bytes),
      reserved: () => entry.budget.reserved(),
      open: () => {
        networks.set(network, entry);
        entry.requests += 1;
        const reservation = entry.budget.open();
        return {
          reserve: (bytes) => reservation.reserve(bytes),
          release: () => {
            reservation.release();
            entry.requests -= 1;
            if (entry.requests === 0) networks.delete(network);
          },
        };
      },
    };
  }
}

/** The network of an address: IPv4 as it is, the first 64 bits of IPv6; undefined if the address is unknown. */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  return /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? prefixOf(address);
}

/** The first four of the eight groups of an IPv6 address; `::` stands for the missing groups. */
function prefixOf(address: string): string {
  const [head = "", tail = ""] = address.split("::");
  const headGroups = groupsOf(head);
  const tailGroups = groupsOf(tail);
  const missing = Array.from({ length: Math.max(8 - headGroups.length - tailGroups.length, 0) }, () => "0");
  return [...headGroups, ...missing, ...tailGroups].slice(0, 4).join(":");
}

function groupsOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(":");
}

/** The number of requests under way. Budgets count the bytes of their bodies. */
export interface OpenRequests {
  /** Requests that are being read or wait for their answer. */
  readonly requests: number;
  /** Requests whose body is still arriving; a part of `requests`. */
  readonly reading: number;
}

/** The memory of one request while it is under way. */
export interface RequestReservation {
  /** True if this many more bytes fit now. */
  fits(bytes: number): boolean;
  /** Reserves this many more bytes and returns true; reserves none and returns false if they do not fit. */
  reserve(bytes: number): boolean;
  /** Notes that no more of the body will arrive. */
  endReading(): void;
}

interface RequestCapacity {
  openRequests(): OpenRequests;
  /** Counts a request until the promise of `work` settles; its bytes are reserved in `budget`. */
  during(budget: ByteBudget, work: (reservation: RequestReservation) => Promise<void>): Promise<void>;
}

/** Creates a capacity without requests under way. */
export function createRequestCapacity(): RequestCapacity {
  let requests = 0;
  let reading = 0;
  return { openRequests: () => ({ requests, reading }), during };

  async function during(budget: ByteBudget, work: (reservation: RequestReservation) => Promise<void>): Promise<void> {
    const bytes = budget.open();
    let isReading = true;
    const endReading = (): void => {
      if (isReading) reading -= 1;
      isReading = false;
    };
    requests += 1;
    reading += 1;
    try {
      await work({ fits: (size) => budget.fits(size), reserve: (size) => bytes.reserve(size), endReading });
    } finally {
      endReading();
      bytes.release();
      requests -= 1;
    }
  }
}
