// The differences between two documents of settings, entry by entry: the lines that are gone and those that are new, among the others.

import { type EntryDifference, type DifferenceLine, linesOfDifference } from "../settings/differences.js";
import { TEXTS } from "../texts.js";

const SIGNS: Readonly<Record<DifferenceLine["kind"], string>> = { same: "  ", gone: "- ", new: "+ " };

export function Differences({ differences }: { readonly differences: readonly EntryDifference[] }) {
  if (differences.length === 0) return <p>{TEXTS.settings.noDifference}</p>;
  return (
    <>
      {differences.map(({ what, before = "", after = "" }) => (
        <section key={what} class="difference">
          <h3>{what}</h3>
          <pre tabIndex={0}>
            {linesOfDifference(before, after).map(({ kind, text }, at) => (
              <span key={at} class={kind}>
                {SIGNS[kind]}
                {withoutSeals(text)}
                {"\n"}
              </span>
            ))}
          </pre>
        </section>
      ))}
    </>
  );
}

/** A sealed text is long, and says nothing but whether it is another one. */
function withoutSeals(line: string): string {
  return line.replace(/"sealed:[^"]*(.{6})"/, (_, end: string) => `"sealed:…${end}" ${TEXTS.settings.sealed}`);
}
