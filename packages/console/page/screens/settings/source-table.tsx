// The sources in the settings: which destinations receive from each, a new key for one, and the ways to add and to remove one.

import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { CopyButton } from "../../parts/small.js";
import {
  type Document,
  freeSourceId,
  idOfConnection,
  type SourceEntry,
  withEntry,
  withoutEntry,
} from "../../settings/document.js";
import { newSource, type SourceDraft } from "../../settings/draft.js";
import { TEXTS } from "../../texts.js";

interface SourceTableProps {
  readonly document: Document;
  /** Undefined if nothing may be changed here. */
  readonly onPut: ((document: Document) => void) | undefined;
}

/** What a person is about to do. `key`: a source gets a new key, or comes with one. */
type Step = { readonly kind: "remove"; readonly id: string } | { readonly kind: "key"; readonly source: SourceDraft };

export function SourceTable({ document, onPut }: SourceTableProps) {
  const { settings: texts } = TEXTS;
  const [step, setStep] = useState<Step>();
  const sources = document.sources ?? [];
  const drawKey = async (id: string): Promise<void> => setStep({ kind: "key", source: await newSource(id) });
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
                    <button type="button" aria-label={texts.newKeyOf(id)} onClick={() => void drawKey(id)}>
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
        <button type="button" onClick={() => void drawKey(freeSourceId(document))}>
          {TEXTS.setUp.source.add}
        </button>
      )}
      {step?.kind === "remove" ? (
        <ConfirmDialog
          title={texts.removeOf(step.id)}
          action={texts.remove}
          onConfirm={() => onPut?.(withoutSource(document, step.id))}
          onClose={close}
        >
          <p>{texts.removeSourceSure(step.id, usersOf(document, step.id))}</p>
        </ConfirmDialog>
      ) : null}
      {step?.kind === "key" ? (
        <KeyDialog document={document} drawn={step.source} onPut={onPut} onClose={close} />
      ) : null}
    </>
  );
}

interface KeyDialogProps {
  readonly document: Document;
  readonly drawn: SourceDraft;
  readonly onPut: SourceTableProps["onPut"];
  readonly onClose: () => void;
}

/** Shows a new key, once, and puts it in force when the person has it. */
function KeyDialog({ document, drawn, onPut, onClose }: KeyDialogProps) {
  const { settings: texts, setUp } = TEXTS;
  const [id, setId] = useState(drawn.id);
  const isNew = document.sources?.every((one) => one.id !== drawn.id) ?? true;
  const isTaken = isNew && (document.sources?.some((one) => one.id === id) ?? false);
  const save = (): void => {
    onPut?.(withKey(document, { ...drawn, id }));
    onClose();
  };
  return (
    <Dialog title={isNew ? setUp.source.add : texts.newKeyOf(drawn.id)} onClose={onClose}>
      {isNew ? (
        <Field
          id="new-source-id"
          label={setUp.source.id}
          value={id}
          onChange={setId}
          problems={isTaken ? [TEXTS.expected(setUp.taken)] : []}
        />
      ) : (
        <p>{texts.newKeySure(drawn.id)}</p>
      )}
      <p>
        {setUp.source.key}: <code class="id">{drawn.writeKey}</code>{" "}
        <CopyButton text={drawn.writeKey} label={TEXTS.copy} />
      </p>
      <p class="hint">{setUp.source.keyHint}</p>
      <div class="buttons">
        <button type="button" class="main" disabled={isTaken || id === ""} onClick={save}>
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
    .filter(({ sources }) => sources.some((one) => idOfConnection(one) === source))
    .map(({ id }) => id);
}

/** The document with this key for the source, whose other entries stay. */
function withKey(document: Document, { id, digest }: SourceDraft): Document {
  const before = document.sources?.find((one) => one.id === id);
  const entry: SourceEntry = { ...before, id, writeKey: digest };
  return withEntry(document, "sources", entry);
}

/** The document without the source, and without what connects destinations to it. */
function withoutSource(document: Document, gone: string): Document {
  const destinations = document.destinations?.map((destination) => ({
    ...destination,
    sources: destination.sources.filter((one) => idOfConnection(one) !== gone),
  }));
  const others = withoutEntry(document, "sources", gone);
  return destinations === undefined ? others : { ...others, destinations };
}
