// A dialog: the browser's, which keeps the focus inside and closes at Escape; and one that asks whether a change is
// meant that is hard to take back.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { TEXTS } from "../texts.js";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} aria-labelledby="dialog-title" onClose={onClose}>
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmDialogProps {
  readonly title: string;
  /** The word on the button that does it. */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** The effect of the change. */
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
