// Saves settings over the revision that was seen; if another one came first, shows the differences, and the person decides. After a save,
// shows the facts that the receiver needs, and for a new destination the way to a first call.

import { useState } from "preact/hooks";
import { type FetchFault, fetchData } from "../../base/ask.js";
import { FaultNote, CopyButton } from "../../parts/small.js";
import { differencesBetween, type EntryDifference } from "../../settings/differences.js";
import { type Document, type Settings, putSettings } from "../../settings/document.js";
import { TEXTS } from "../../texts.js";
import { moveWork, type Work, type DestinationDraft, isDrawn } from "../../settings/draft.js";
import { Dialog } from "../../parts/dialog.js";
import { Differences } from "../../parts/differences.js";
import { addressOf, Link } from "../../base/router.js";

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
  const [saveFault, setSaveFault] = useState<FetchFault>();
  const [latest, setLatest] = useState<Settings>();
  const putDocument = async (): Promise<void> => {
    const answer = await putSettings(document, base.revision);
    if (answer.kind === "ok") onSaved(answer.value.revision);
    else if (answer.status === 412) await showConflict();
    else setSaveFault(answer);
  };
  const save = async (): Promise<void> => {
    setSaving(true);
    await putDocument();
    setSaving(false);
  };
  const showConflict = async (): Promise<void> => {
    const answer = await fetchData<Settings>("api/settings");
    if (answer.kind === "ok") setLatest(answer.value);
    else setSaveFault(answer);
  };
  const movedWork = latest === undefined ? undefined : moveWork(work, latest);
  return (
    <>
      {saveFault === undefined ? null : <FaultNote fault={saveFault} />}
      <button type="button" class="main" disabled={!isGood || isSaving} onClick={() => void save()}>
        {TEXTS.setUp.save}
      </button>
      {latest === undefined || movedWork === undefined ? null : (
        <ConflictDialog
          actor={latest.actor ?? TEXTS.none}
          differences={differencesBetween(base.document, latest.document)}
          both={movedWork.both}
          onClose={() => setLatest(undefined)}
          onAgain={() => {
            setLatest(undefined);
            onChange(movedWork.work);
          }}
        />
      )}
    </>
  );
}

interface ConflictDialogProps {
  readonly actor: string;
  readonly differences: readonly EntryDifference[];
  /** The parts of the same destination that both people have changed. */
  readonly both: readonly (keyof DestinationDraft)[];
  readonly onClose: () => void;
  /** Puts the entered values on top of the other person's settings, so that they can be saved. */
  readonly onAgain: () => void;
}

function ConflictDialog({ actor, differences, both, onClose, onAgain }: ConflictDialogProps) {
  const { conflict } = TEXTS.setUp;
  return (
    <Dialog title={conflict.title} onClose={onClose}>
      <p>{conflict.by(actor)}</p>
      <Differences differences={differences} />
      {both.length === 0 ? null : (
        <p class="problem">{conflict.both(both.map((key) => conflict.parts[key]).join(", "))}</p>
      )}
      <div class="buttons">
        <button type="button" class="main" onClick={onAgain}>
          {conflict.again}
        </button>
        <button type="button" onClick={onClose}>
          {conflict.cancel}
        </button>
      </div>
    </Dialog>
  );
}

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

interface Lines {
  readonly title: string;
  readonly text: string;
}

/** `url` is that of the server. */
function linesFor(url: string, writeKey: string): readonly Lines[] {
  return [
    {
      title: "curl",
      text: `curl -u '${writeKey}:' -d '{"userId":"u1","event":"Signed Up"}' ${url}/v1/track`,
    },
    {
      title: "@postrider/client",
      text: `import { createClient } from "@postrider/client";

const client = createClient("${writeKey}", { endpoint: "${url}" });
client.track({ userId: "u1", event: "Signed Up" });
await client.close();`,
    },
    {
      title: "@segment/analytics-node",
      text: `import { Analytics } from "@segment/analytics-node";

const analytics = new Analytics({ host: "${url}", writeKey: "${writeKey}" });
analytics.track({ userId: "u1", event: "Signed Up" });
await analytics.closeAndFlush();`,
    },
    {
      title: "analytics.js",
      text: `import { AnalyticsBrowser } from "@segment/analytics-next";

const analytics = AnalyticsBrowser.load({ writeKey: "${writeKey}", cdnURL: "${url}" });
analytics.track("Signed Up");`,
    },
  ];
}
