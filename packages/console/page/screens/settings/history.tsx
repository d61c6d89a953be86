// The history of the settings: the author and the time of each revision, its changes, and the way back.

import type { SettingsChangeJson } from "@postrider/http/api";
import { useState } from "preact/hooks";
import { type FetchResult, fetchData } from "../../base/ask.js";
import { usePolled } from "../../base/polled.js";
import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { Differences } from "../../parts/differences.js";
import { FaultNote, InstantText } from "../../parts/small.js";
import { type EntryDifference, differencesBetween } from "../../settings/differences.js";
import type { Document, Settings, Put } from "../../settings/document.js";
import { TEXTS } from "../../texts.js";

const EVERY_MS = 2_000;

interface HistoryProps {
  readonly latest: Settings;
  /** Undefined if nothing may be changed here. */
  readonly onPut: Put | undefined;
}

export function SettingsHistory({ latest, onPut }: HistoryProps) {
  const { settings: texts } = TEXTS;
  const { columns } = texts;
  const { value } = usePolled<{ readonly revisions: readonly SettingsChangeJson[] }>("api/settings/history", EVERY_MS);
  const [shown, setShown] = useState<Shown>();
  const show = async (revision: number): Promise<void> =>
    setShown({ title: texts.show(String(revision)), answer: await changeOf(revision) });
  const askToRestore = async (revision: number): Promise<void> => {
    const [title, old] = [texts.restore(String(revision)), await documentAt(revision)];
    if (old.kind !== "ok") setShown({ title, answer: old });
    else
      setShown({
        title,
        answer: differencesFrom(latest.document, old.value),
        back: { to: old.value, over: latest.revision },
      });
  };
  if (value === undefined || value.revisions.length === 0) return null;
  return (
    <>
      <h2>{texts.history}</h2>
      <DataTable
        caption={texts.historyCaption}
        columns={[columns.revision, columns.by, columns.at, columns.actions]}
        numbers={[columns.revision]}
      >
        {value.revisions.map(({ revision, actor, changedAt }) => (
          <tr key={revision}>
            <th scope="row" class="number">
              {revision}
            </th>
            <td>{actor ?? TEXTS.none}</td>
            <td>
              <InstantText at={changedAt} />
            </td>
            <td>
              <button type="button" onClick={() => void show(revision)}>
                {texts.show(String(revision))}
              </button>
              {onPut === undefined || revision === latest.revision ? null : (
                <button type="button" onClick={() => void askToRestore(revision)}>
                  {texts.restore(String(revision))}
                </button>
              )}
            </td>
          </tr>
        ))}
      </DataTable>
      {shown === undefined ? null : (
        <Dialog title={shown.title} onClose={() => setShown(undefined)}>
          {shown.answer.kind === "ok" ? (
            <Differences differences={shown.answer.value} />
          ) : (
            <FaultNote fault={shown.answer} />
          )}
          <div class="buttons">
            {shown.back === undefined ? null : (
              <button
                type="button"
                class="main"
                onClick={() => {
                  if (shown.back !== undefined) void onPut?.(shown.back.to, shown.back.over);
                  setShown(undefined);
                }}
              >
                {shown.title}
              </button>
            )}
            <button type="button" onClick={() => setShown(undefined)}>
              {TEXTS.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** The content of the dialog. */
interface Shown {
  readonly title: string;
  readonly answer: FetchResult<readonly EntryDifference[]>;
  /** The document that a person may go back to, and the revision with which it was compared. */
  readonly back?: { readonly to: Document; readonly over: number | null };
}

function differencesFrom(before: Document, after: Document): FetchResult<readonly EntryDifference[]> {
  return { kind: "ok", value: differencesBetween(before, after) };
}

/** The changes of a revision against the one before; against nothing, if that is not kept. */
async function changeOf(revision: number): Promise<FetchResult<readonly EntryDifference[]>> {
  const [before, after] = await Promise.all([documentAt(revision - 1), documentAt(revision)]);
  if (after.kind !== "ok") return after;
  return differencesFrom(before.kind === "ok" ? before.value : {}, after.value);
}

async function documentAt(revision: number): Promise<FetchResult<Document>> {
  if (revision === 0) return { kind: "ok", value: {} };
  const answer = await fetchData<Settings>(`api/settings?revision=${String(revision)}`);
  return answer.kind === "ok" ? { kind: "ok", value: answer.value.document } : answer;
}
