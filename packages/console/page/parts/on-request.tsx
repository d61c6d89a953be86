// Content of a message, which often tells of a person: a user who may see it has to ask for it, and each time is logged.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Asked } from "../base/ask.js";
import { canSeeBodies } from "../base/session.js";
import { TEXTS } from "../texts.js";
import { FaultNote } from "./small.js";

interface OnRequestProps<T> {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly ask: () => Promise<Asked<T>>;
  readonly show: (content: T) => ComponentChildren;
}

export function OnRequest<T>({ id, label, ask, show }: OnRequestProps<T>) {
  const [asked, setAsked] = useState<Asked<T>>();
  const { delivery: texts } = TEXTS;
  if (asked?.kind === "ok") return <>{show(asked.value)}</>;
  if (!canSeeBodies.value) return <p>{texts.messageForbidden}</p>;
  return (
    <>
      {asked === undefined ? null : <FaultNote fault={asked} />}
      <button type="button" aria-describedby={`${id}-hint`} onClick={() => void ask().then(setAsked)}>
        {label}
      </button>
      <p id={`${id}-hint`} class="hint">
        {texts.messageHint}
      </p>
    </>
  );
}
