// After a save: what to do next, with lines that make a first call.

import { addressOf, Link } from "../../base/router.js";
import { CopyButton } from "../../parts/small.js";
import type { Draft } from "../../settings/draft.js";
import { linesFor } from "../../settings/lines.js";
import { TEXTS } from "../../texts.js";

export function Saved({ revision, draft }: { readonly revision: number; readonly draft: Draft }) {
  const { setUp: texts } = TEXTS;
  const { source, id } = draft;
  const writeKey = source?.writeKey ?? texts.keyPlaceholder;
  return (
    <section>
      <p role="status">{texts.saved(String(revision))}</p>
      <h2>{texts.next}</h2>
      {source === undefined ? (
        <p>{texts.oldKey(texts.keyPlaceholder)}</p>
      ) : (
        <p>
          {texts.nextKey} <code class="id">{source.writeKey}</code>{" "}
          <CopyButton text={source.writeKey} label={TEXTS.copy} /> <span class="hint">{texts.source.keyHint}</span>
        </p>
      )}
      {linesFor(location.origin, writeKey).map(({ title, text }, index) => (
        <details key={title} open={index === 0}>
          <summary>{title}</summary>
          <pre tabIndex={0}>{text}</pre>
          <CopyButton text={text} label={TEXTS.copy} />
        </details>
      ))}
      <p>
        <Link to={addressOf("deliveries", { destination: id })}>{texts.arrivals}</Link>
      </p>
    </section>
  );
}
