// Saves over the revision that was seen. If another one came first, what differs is shown, and the person decides.

import { useState } from "preact/hooks";
import { type Fault, read } from "../../base/ask.js";
import { FaultNote } from "../../parts/small.js";
import { differencesBetween } from "../../settings/differences.js";
import type { Document, Settings } from "../../settings/document.js";
import { putSettings } from "../../settings/put-settings.js";
import { TEXTS } from "../../texts.js";
import { ConflictDialog } from "./conflict-dialog.js";
import { moveWork, type Work } from "./work.js";

interface SaveButtonProps {
  readonly work: Work;
  readonly document: Document;
  readonly isGood: boolean;
  readonly onChange: (work: Work) => void;
  readonly onSaved: (revision: number) => void;
}

export function SaveButton({ work, document, isGood, onChange, onSaved }: SaveButtonProps) {
  const { base } = work;
  const [isSaving, setSaving] = useState(false);
  const [failed, setFailed] = useState<Fault>();
  const [latest, setLatest] = useState<Settings>();
  const put = async (): Promise<void> => {
    const asked = await putSettings(document, base.revision);
    if (asked.kind === "ok") onSaved(asked.value.revision);
    else if (asked.kind === "refused" && asked.status === 412) await show();
    else setFailed(asked);
  };
  const save = async (): Promise<void> => {
    setSaving(true);
    await put();
    setSaving(false);
  };
  const show = async (): Promise<void> => {
    const asked = await read<Settings>("api/settings");
    if (asked.kind === "ok") setLatest(asked.value);
    else setFailed(asked);
  };
  const moved = latest === undefined ? undefined : moveWork(work, latest);
  return (
    <>
      {failed === undefined ? null : <FaultNote fault={failed} />}
      <button type="button" class="main" disabled={!isGood || isSaving} onClick={() => void save()}>
        {TEXTS.setUp.save}
      </button>
      {latest === undefined || moved === undefined ? null : (
        <ConflictDialog
          actor={latest.actor ?? TEXTS.none}
          differences={differencesBetween(base.document, latest.document)}
          both={moved.both}
          onClose={() => setLatest(undefined)}
          onAgain={() => {
            setLatest(undefined);
            onChange(moved.work);
          }}
        />
      )}
    </>
  );
}
