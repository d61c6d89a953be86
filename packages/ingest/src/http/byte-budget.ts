// Keeps count of the bytes that many requests hold at once, so that all of them together stay within a bound. What holds
// them, and what becomes of those who find no room, is the caller's matter.

export interface ByteBudget {
  /** Whether so many more bytes would find room now. */
  fits(bytes: number): boolean;
  /** For one request: empty at first. */
  open(): Hold;
}

/** The bytes of one request. */
export interface Hold {
  /** Holds so many more, or, where they do not fit, none of them. */
  take(bytes: number): boolean;
  /** Gives back all that it holds. */
  release(): void;
}

/** Room for `limitBytes` in all. */
export function createByteBudget(limitBytes: number): ByteBudget {
  let held = 0;
  const fits = (bytes: number): boolean => held + bytes <= limitBytes;
  return { fits, open: openHold };

  function openHold(): Hold {
    let own = 0;
    return {
      take: (bytes) => {
        if (!fits(bytes)) return false;
        held += bytes;
        own += bytes;
        return true;
      },
      release: () => {
        held -= own;
        own = 0;
      },
    };
  }
}
