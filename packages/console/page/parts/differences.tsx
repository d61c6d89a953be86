// What differs between two documents of settings, entry by entry.

import type { Difference } from "../settings/differences.js";
import { TEXTS } from "../texts.js";

export function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  if (differences.length === 0) return <p>{TEXTS.settings.noDifference}</p>;
  return (
    <>
      {differences.map(({ what, before, after }) => (
        <section key={what} class="difference">
          <h3>{what}</h3>
          <Side label={TEXTS.settings.before} text={before} />
          <Side label={TEXTS.settings.after} text={after} />
        </section>
      ))}
    </>
  );
}

function Side({ label, text }: { readonly label: string; readonly text: string | undefined }) {
  return (
    <div>
      <span class="faint">{label}</span>
      {text === undefined ? <p>{TEXTS.none}</p> : <pre tabIndex={0}>{text}</pre>}
    </div>
  );
}
