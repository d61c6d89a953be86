// The sources in the outbox that are not in the settings: they are left out of what is read, so that their calls hold up no others, however
// many they are, and each is told of once (decision: sources without settings).

import type { SourceId } from "@postrider/core";
import { MAX_COUNTED_OUTBOX, MAX_UNKNOWN_SOURCES, UNKNOWN_SOURCES_PER_WALK } from "../limits.js";
import type { EmitEvent } from "../relay-event.js";

export interface UnknownSources {
  /** Takes a source of which there are calls. Beyond a number of them no further one is taken. */
  note(source: SourceId): void;
  /** Those to leave out. What is in the settings by now is not among them any more. */
  except(isKnown: (source: SourceId) => boolean): readonly SourceId[];
  /**
   * To be called at the end of a walk through the outbox: tells of those that are new, and forgets those of which no call is left. `count`
   * answers how many calls of a source there are, up to a limit; undefined if the store did not say.
   */
  look(count: CountCalls): Promise<void>;
}

export type CountCalls = (source: SourceId, limit: number) => Promise<number | undefined>;

export function createUnknownSources(emit: EmitEvent): UnknownSources {
  /** Whether each was told of; first those that were looked at longest ago. */
  const told = new Map<SourceId, boolean>();

  async function lookAt(source: SourceId, wasTold: boolean, count: CountCalls): Promise<void> {
    const calls = await count(source, wasTold ? 1 : MAX_COUNTED_OUTBOX);
    // It may have been forgotten meanwhile, since it is in the settings.
    if (calls === undefined || !told.delete(source) || calls === 0) return;
    told.set(source, true);
    if (!wasTold) emit({ kind: "outbox-waits", source, calls });
  }

  return {
    note: (source): void => {
      if (!told.has(source) && told.size < MAX_UNKNOWN_SOURCES) told.set(source, false);
    },
    except: (isKnown) => {
      for (const source of told.keys()) if (isKnown(source)) told.delete(source);
      return [...told.keys()];
    },
    look: async (count): Promise<void> => {
      for (const [source, wasTold] of [...told].slice(0, UNKNOWN_SOURCES_PER_WALK))
        await lookAt(source, wasTold, count);
    },
  };
}
