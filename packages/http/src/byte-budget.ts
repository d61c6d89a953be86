// Keeps count of the bytes that many requests hold at once, so that all of them together stay within a bound. A budget may
// be a part of another one: what it takes counts in both. What holds the bytes, and what a request hears that finds no
// room, is decided by the caller.

export interface ByteBudget {
  /** Whether so many more bytes would find room now. */
  fits(bytes: number): boolean;
  /** How many are held now. */
  held(): number;
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

/** Room for `limitBytes` in all, and for no more than `whole` has left, where there is one. */
export function createByteBudget(limitBytes: number, whole?: ByteBudget): ByteBudget {
  let held = 0;
  const fits = (bytes: number): boolean => held + bytes <= limitBytes && whole?.fits(bytes) !== false;
  return { fits, held: () => held, open: openHold };

  function openHold(): Hold {
    const share = whole?.open();
    let own = 0;
    return {
      take: (bytes) => {
        if (!fits(bytes)) return false;
        share?.take(bytes);
        held += bytes;
        own += bytes;
        return true;
      },
      release: () => {
        share?.release();
        held -= own;
        own = 0;
      },
    };
  }
}
