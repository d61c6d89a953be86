// The history of the settings: the author and the time of each revision, its changes, and the way back.

import type { SettingsChangeJson } from "@postrider/http/api";
import { useState } from "preact/hooks";
import { type FetchResult, fetchData } from "../../base/ask.js";
import { usePolled } from "../../base/polled.js";
import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { Differences } from "../../parts/differences.js";
import { FaultNote, InstantText } from "../../parts/small.js";
import { changesOfRevision, type EntryDifference, differencesBetween } from "../../settings/differences.js";
import type { Document, Settings, Put } from "../../settings/document.js";
import { TEXTS } from "../../texts.js";

const POLL_MS = 2_000;

interface HistoryProps {
  readonly latest: Settings;
  /** Undefined if nothing may be changed here. */
  readonly onPut: Put | undefined;
}

export function SettingsHistory({ latest, onPut }: HistoryProps) {
  const { settings: texts } = TEXTS;
  const { columns } = texts;
  const { value } = usePolled<{ readonly revisions: readonly SettingsChangeJson[] }>("api/settings/history", POLL_MS);
  const [dialog, setDialog] = useState<DialogContent>();
  const show = async (revision: number): Promise<void> => {
    const [older, newer] = await Promise.all([documentAt(revision - 1), documentAt(revision)]);
    setDialog({ title: texts.show(String(revision)), differences: changesOfRevision(older, newer) });
  };
  const askToRestore = async (revision: number): Promise<void> => {
    const title = texts.restore(String(revision));
    const old = await documentAt(revision);
    if (old.kind !== "ok") {
      setDialog({ title, differences: old });
      return;
    }
    const differences = differencesBetween(latest.document, old.value);
    const restoration = { document: old.value, over: latest.revision };
    setDialog({ title, differences: { kind: "ok", value: differences }, restoration });
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
      {dialog === undefined ? null : (
        <Dialog title={dialog.title} onClose={() => setDialog(undefined)}>
          {dialog.differences.kind === "ok" ? (
            <Differences differences={dialog.differences.value} />
          ) : (
            <FaultNote fault={dialog.differences} />
          )}
          <div class="buttons">
            {dialog.restoration === undefined ? null : (
              <button
                type="button"
                class="main"
                onClick={() => {
                  if (dialog.restoration !== undefined)
                    void onPut?.(dialog.restoration.document, dialog.restoration.over);
                  setDialog(undefined);
                }}
              >
                {dialog.title}
              </button>
            )}
            <button type="button" onClick={() => setDialog(undefined)}>
              {TEXTS.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** The content of the dialog. */
interface DialogContent {
  readonly title: string;
  readonly differences: FetchResult<readonly EntryDifference[]>;
  /** The document that a person may restore, and the revision with which it was compared. */
  readonly restoration?: { readonly document: Document; readonly over: number | null };
}

/** The document of a revision; empty for 0, before the first one. */
async function documentAt(revision: number): Promise<FetchResult<Document>> {
  if (revision === 0) return { kind: "ok", value: {} };
  const answer = await fetchData<Settings>(`api/settings?revision=${String(revision)}`);
  return answer.kind === "ok" ? { kind: "ok", value: answer.value.document } : answer;
}
