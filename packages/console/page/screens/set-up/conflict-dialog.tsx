// Two people have changed the settings at once: what the other one has changed, and the way to go on.

import { Dialog } from "../../parts/dialog.js";
import { Differences } from "../../parts/differences.js";
import type { Difference } from "../../settings/differences.js";
import type { Draft } from "../../settings/draft.js";
import { TEXTS } from "../../texts.js";

interface ConflictDialogProps {
  readonly actor: string;
  readonly differences: readonly Difference[];
  /** What both people have changed of the same destination. */
  readonly both: readonly (keyof Draft)[];
  readonly onClose: () => void;
  /** What was entered is put on top of the other's settings, and can be saved then. */
  readonly onAgain: () => void;
}

export function ConflictDialog({ actor, differences, both, onClose, onAgain }: ConflictDialogProps) {
  const { conflict } = TEXTS.setUp;
  return (
    <Dialog title={conflict.title} onClose={onClose}>
      <p>{conflict.by(actor)}</p>
      <Differences differences={differences} />
      {both.length === 0 ? null : (
        <p class="problem">{conflict.both(both.map((key) => conflict.parts[key]).join(", "))}</p>
      )}
      <div class="buttons">
        <button type="button" class="main" onClick={onAgain}>
          {conflict.again}
        </button>
        <button type="button" onClick={onClose}>
          {conflict.cancel}
        </button>
      </div>
    </Dialog>
  );
}
