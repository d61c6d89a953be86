// The settings of a memory delivery store: a few revisions, each with its document as a text.

import { MAX_SETTINGS_HISTORY, type SettingsRevision, type SettingsStore } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { Contents } from "./contents.js";
import type { Answering } from "./deletions/create-deletions.js";

export function createMemorySettings(
  { settings }: Pick<Contents, "settings">,
  { answer, timeFor }: Answering,
): SettingsStore {
  return {
    put: ({ expect, document, actor }, now) =>
      answer(() => {
        const revision = settings.at(-1)?.revision ?? 0;
        if (expect !== revision) return { kind: "stale", revision };
        settings.push({ revision: revision + 1, document, changedAt: timeFor(now), ...defined({ actor }) });
        if (settings.length > MAX_SETTINGS_HISTORY) settings.shift();
        return { kind: "stored", revision: revision + 1 };
      }),
    latest: (above) =>
      answer(() => {
        const last = settings.at(-1);
        return last === undefined || last.revision <= above ? undefined : { ...last };
      }),
    find: (revision) =>
      answer(() => {
        const found = settings.find((one) => one.revision === revision);
        return found === undefined ? undefined : { ...found };
      }),
    history: () => answer(() => settings.map(withoutDocument).toReversed()),
  };
}

function withoutDocument({ document: _document, ...change }: SettingsRevision): Omit<SettingsRevision, "document"> {
  return change;
}
