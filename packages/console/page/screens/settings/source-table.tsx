// The sources in the settings: which destinations receive from each, a new key for one, and the ways to add and to remove one.

import { useState } from "preact/hooks";
import { ConfirmDialog, Dialog } from "../../parts/dialog.js";
import { DataTable } from "../../parts/data-table.js";
import { TextField } from "../../parts/field.js";
import { CopyButton } from "../../parts/small.js";
import {
  type Document,
  freeSourceId,
  hasSource,
  idOfConnection,
  type DocumentSource,
  withEntry,
  withoutEntry,
  type Put,
} from "../../settings/document.js";
import { newSource, type SourceDraft } from "../../settings/draft.js";
import { TEXTS } from "../../texts.js";

interface SourceTableProps {
  readonly document: Document;
  /** Undefined if nothing may be changed here. */
  readonly onPut: Put | undefined;
}

/** The step that a person is about to take. `key`: a source gets another key. `new`: it comes with one. */
type Step =
  { readonly kind: "remove"; readonly id: string } | { readonly kind: "key" | "new"; readonly source: SourceDraft };

export function SourceTable({ document, onPut }: SourceTableProps) {
  const { settings: texts } = TEXTS;
  const [step, setStep] = useState<Step>();
  const sources = document.sources ?? [];
  const drawKey = async (kind: "key" | "new", id: string): Promise<void> =>
    setStep({ kind, source: await newSource(id) });
  const close = (): void => setStep(undefined);
  const { id: heading, name, usedBy, actions } = texts.sourceColumns;
  return (
    <>
      <h2>{texts.sources}</h2>
      {sources.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <DataTable caption={texts.sourcesCaption} columns={[heading, name, usedBy, actions]}>
          {sources.map(({ id, name: title = TEXTS.none }) => (
            <tr key={id}>
              <th scope="row">{id}</th>
              <td>{title}</td>
              <td>{usersOf(document, id).join(", ") || TEXTS.none}</td>
              <td>
                {onPut === undefined ? null : (
                  <>
                    <button type="button" aria-label={texts.newKeyOf(id)} onClick={() => void drawKey("key", id)}>
                      {texts.newKey}
                    </button>
                    <button
                      type="button"
                      aria-label={texts.removeOf(id)}
                      onClick={() => setStep({ kind: "remove", id })}
                    >
                      {texts.remove}
                    </button>
                  </>
                )}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {onPut === undefined ? null : (
        <button type="button" onClick={() => void drawKey("new", freeSourceId(document))}>
          {TEXTS.setUp.source.add}
        </button>
      )}
      {step?.kind === "remove" ? (
        <ConfirmDialog
          title={texts.removeOf(step.id)}
          action={texts.remove}
          onConfirm={() => void onPut?.(withoutSource(document, step.id))}
          onClose={close}
        >
          <p>{texts.removeSourceSure(step.id, usersOf(document, step.id))}</p>
        </ConfirmDialog>
      ) : null}
      {step === undefined || step.kind === "remove" ? null : (
        <KeyDialog document={document} source={step.source} isNew={step.kind === "new"} onPut={onPut} onClose={close} />
      )}
    </>
  );
}

interface KeyDialogProps {
  readonly document: Document;
  readonly source: SourceDraft;
  readonly isNew: boolean;
  readonly onPut: SourceTableProps["onPut"];
  readonly onClose: () => void;
}

/** Shows a new key, once, and puts it in force when the person has it. */
function KeyDialog({ document, source, isNew, onPut, onClose }: KeyDialogProps) {
  const { settings: texts, setUp } = TEXTS;
  const [id, setId] = useState(source.id);
  const isTaken = isNew && hasSource(document, id);
  const [isRefused, setRefused] = useState(false);
  const save = async (): Promise<void> => {
    if ((await onPut?.(withKey(document, { ...source, id }))) === true) onClose();
    else setRefused(true);
  };
  return (
    <Dialog title={isNew ? setUp.source.add : texts.newKeyOf(source.id)} onClose={onClose}>
      {isNew ? (
        <TextField
          id="new-source-id"
          label={setUp.source.id}
          value={id}
          onChange={setId}
          problems={isTaken ? [TEXTS.expected(setUp.taken)] : []}
        />
      ) : (
        <p>{texts.newKeySure(source.id)}</p>
      )}
      <p>
        {setUp.source.key}: <code class="id">{source.writeKey}</code>{" "}
        <CopyButton text={source.writeKey} label={TEXTS.copy} />
      </p>
      <p class="hint">
        {setUp.once} {setUp.works}
      </p>
      {isRefused ? <p class="problem">{texts.notPut}</p> : null}
      <div class="buttons">
        <button type="button" class="main" disabled={isTaken || id === ""} onClick={() => void save()}>
          {setUp.save}
        </button>
        <button type="button" onClick={onClose}>
          {TEXTS.cancel}
        </button>
      </div>
    </Dialog>
  );
}

/** The destinations that receive from a source. */
function usersOf({ destinations = [] }: Document, source: string): readonly string[] {
  return destinations
    .filter(({ sources }) => sources.some((connection) => idOfConnection(connection) === source))
    .map(({ id }) => id);
}

/** The document with this key for the source, whose other entries stay. */
function withKey(document: Document, { id, digest }: SourceDraft): Document {
  const existing = document.sources?.find((entry) => entry.id === id);
  const entry: DocumentSource = { ...existing, id, writeKey: digest };
  return withEntry(document, "sources", entry);
}

/** The document without the source, and without the connections of destinations to it. */
function withoutSource(document: Document, removedId: string): Document {
  const destinations = document.destinations?.map((destination) => ({
    ...destination,
    sources: destination.sources.filter((connection) => idOfConnection(connection) !== removedId),
  }));
  const remaining = withoutEntry(document, "sources", removedId);
  return destinations === undefined ? remaining : { ...remaining, destinations };
}
