// Counts those that are served at the same time, up to a bound.

export interface Places {
  /** Whether all places are taken. */
  isFull(): boolean;
  /** Takes a place until the returned function is called. */
  take(): () => void;
}

export function createPlaces(most: number): Places {
  let taken = 0;
  return {
    isFull: () => taken >= most,
    take: () => {
      taken += 1;
      return () => {
        taken -= 1;
      };
    },
  };
}
