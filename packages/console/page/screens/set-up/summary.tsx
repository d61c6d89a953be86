// What of the form has to be corrected before it can be saved, by the names of its fields.

import { formatCount } from "../../base/format.js";
import type { Checked } from "../../settings/checked.js";
import { TEXTS } from "../../texts.js";

interface SummaryProps {
  readonly checked: Checked;
  /** Of the destination in the document. */
  readonly path: string;
}

export function Summary({ checked: { isChecking, isGood, problems }, path: destination }: SummaryProps) {
  const { setUp: texts } = TEXTS;
  return (
    <div class="summary" aria-live="polite">
      {isChecking ? <p>{texts.checking}</p> : null}
      {isGood ? <p>{texts.good}</p> : null}
      {!isChecking && problems.length > 0 ? (
        <>
          <p>{texts.problems(formatCount(problems.length))}</p>
          <ul>
            {problems.map(({ path, expected }) => (
              <li key={path + expected}>
                {fieldOf(path, destination)}: <span class="problem">{TEXTS.expected(expected)}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}

/** The name of the field at a path; the path itself if the form has none for it. */
function fieldOf(path: string, destination: string): string {
  const { source, destination: texts, endpoints, secret, steps } = TEXTS.setUp;
  if (path.startsWith("sources[")) return source.id;
  if (!path.startsWith(destination)) return path === "" ? TEXTS.settings.document : path;
  const within = path.slice(destination.length);
  const [, at] = /^\.endpoints\[(\d+)\]/.exec(within) ?? [];
  if (at !== undefined) {
    const number = Number(at) + 1;
    return within.includes(".headers") ? endpoints.header(number) : endpoints.url(number);
  }
  const [, key = ""] = /^\.(\w+)/.exec(within) ?? [];
  const names: Readonly<Record<string, string>> = {
    id: texts.id,
    name: texts.name,
    sources: steps.source,
    sharedSecret: secret.label,
  };
  return names[key] ?? path;
}
