// Asks whether a change is meant that is hard to take back.

import type { ComponentChildren } from "preact";
import { TEXTS } from "../texts.js";
import { Dialog } from "./dialog.js";

interface ConfirmDialogProps {
  readonly title: string;
  /** The word on the button that does it. */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What it would do. */
  readonly children: ComponentChildren;
}

export function ConfirmDialog({ title, action, onConfirm, onClose, children }: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="buttons">
        <button
          type="button"
          class="danger"
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </button>
        <button type="button" onClick={onClose}>
          {TEXTS.cancel}
        </button>
      </div>
    </Dialog>
  );
}
