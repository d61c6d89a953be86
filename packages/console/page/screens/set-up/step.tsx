// What the steps of the form have in common: what each is given, and its frame.

import type { ComponentChildren } from "preact";
import type { Checked } from "../../settings/checked.js";
import type { Document } from "../../settings/document.js";
import type { Draft } from "../../settings/draft.js";

export interface StepProps {
  readonly draft: Draft;
  /** The settings without the draft, and with it. */
  readonly base: Document;
  readonly document: Document;
  readonly checked: Checked;
  /** The path of the destination in the document. */
  readonly path: string;
  readonly isNew: boolean;
  /** Whether the store keeps the settings, so that they can be tried and saved here. */
  readonly isStore: boolean;
  /** The texts that stand for what is set and not shown. */
  readonly kept: ReadonlySet<string>;
  readonly onChange: (draft: Draft) => void;
}

export function Step({
  title,
  hint,
  children,
}: {
  readonly title: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <fieldset class="step">
      <legend>
        <h2>{title}</h2>
      </legend>
      {hint === undefined ? null : <p class="hint">{hint}</p>}
      {children}
    </fieldset>
  );
}
