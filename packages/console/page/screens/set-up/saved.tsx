// After a save: what the receiver has to know, and what to do next. For a new destination, lines that make a first call.

import { addressOf, Link } from "../../base/router.js";
import { CopyButton } from "../../parts/small.js";
import { isDrawn } from "../../settings/draft.js";
import { linesFor } from "../../settings/lines.js";
import { TEXTS } from "../../texts.js";
import type { Work } from "./work.js";

interface SavedProps {
  readonly revision: number;
  readonly work: Work;
  readonly isNew: boolean;
}

export function Saved({ revision, work, isNew }: SavedProps) {
  const { setUp: texts, nav } = TEXTS;
  const { draft } = work;
  return (
    <section>
      <p role="status">{texts.saved(String(revision))}</p>
      {isDrawn(draft.secret) ? <Once text={texts.forReceiver} value={draft.secret} /> : null}
      {draft.source === undefined ? null : <Once text={texts.nextKey} value={draft.source.writeKey} />}
      {isNew ? <FirstCall writeKey={draft.source?.writeKey} /> : null}
      <p>
        <Link to={addressOf("deliveries", { destination: draft.id })}>{texts.arrivals}</Link>{" "}
        <Link to="settings">{nav.settings}</Link>
      </p>
    </section>
  );
}

/** A value that cannot be shown again. */
function Once({ text, value }: { readonly text: string; readonly value: string }) {
  return (
    <p>
      {text} <code class="id">{value}</code> <CopyButton text={value} label={TEXTS.copy} />{" "}
      <span class="hint">{TEXTS.setUp.once}</span>
    </p>
  );
}

/** `writeKey` is undefined if the source was there before, so that its key is not known here. */
function FirstCall({ writeKey }: { readonly writeKey: string | undefined }) {
  const { setUp: texts } = TEXTS;
  return (
    <>
      <h2>{texts.next}</h2>
      {writeKey === undefined ? <p>{texts.oldKey(texts.keyPlaceholder)}</p> : null}
      {linesFor(location.origin, writeKey ?? texts.keyPlaceholder).map(({ title, text }, index) => (
        <details key={title} open={index === 0}>
          <summary>{title}</summary>
          <pre tabIndex={0}>{text}</pre>
          <CopyButton text={text} label={TEXTS.copy} />
        </details>
      ))}
    </>
  );
}
