// The steps of the form, each in the same frame: of the source, of the destination's name, and of the shared secret,
// which can be replaced by a new one.

import type { ComponentChildren } from "preact";
import type { Checked } from "../../settings/checked.js";
import { type Document, freeSourceId, pathOfEntry, destinationIn } from "../../settings/document.js";
import { type DestinationDraft, newSource, newSecret, secretsIn, withNewSecret } from "../../settings/draft.js";
import { TextField, Problems } from "../../parts/field.js";
import { CopyButton } from "../../parts/small.js";
import { TEXTS } from "../../texts.js";

/** A shorter secret could be found from one signed message. */
const SAFE_SECRET_LENGTH = 16;

export interface StepProps {
  readonly draft: DestinationDraft;
  /** The settings without the draft, and with it. */
  readonly base: Document;
  readonly document: Document;
  readonly checked: Checked;
  /** The path of the destination in the document. */
  readonly path: string;
  readonly isNew: boolean;
  /** True if the store keeps the settings, so that they can be tried and saved here. */
  readonly isStore: boolean;
  /** The texts that stand for set values that are not shown. */
  readonly hiddenTexts: ReadonlySet<string>;
  readonly onChange: (draft: DestinationDraft) => void;
}

export function SetUpStep({
  title,
  hint,
  children,
}: {
  readonly title: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <fieldset class="step">
      <legend>
        <h2>{title}</h2>
      </legend>
      {hint === undefined ? null : <p class="hint">{hint}</p>}
      {children}
    </fieldset>
  );
}

export function SourceStep({ draft, base, document, checked, path, onChange }: StepProps) {
  const { source: texts } = TEXTS.setUp;
  const { source, sources } = draft;
  const currentSources = base.sources ?? [];
  const toggle = (id: string, isChosen: boolean): void =>
    onChange({ ...draft, sources: isChosen ? [...sources, id] : sources.filter((chosen) => chosen !== id) });
  const rename = (id: string): void => {
    if (source === undefined) return;
    const renamed = sources.map((chosen) => (chosen === source.id ? id : chosen));
    onChange({ ...draft, source: { ...source, id }, sources: renamed });
  };
  const add = async (): Promise<void> => {
    const addition = await newSource(freeSourceId(base));
    onChange({ ...draft, source: addition, sources: [...sources, addition.id] });
  };
  const sourcePath = source === undefined ? "" : pathOfEntry(document, "sources", source.id);
  return (
    <SetUpStep title={TEXTS.setUp.steps.source} hint={texts.hint}>
      {currentSources.length === 0 ? null : (
        <div role="group" aria-label={texts.from} class="choices">
          <span>{texts.from}</span>
          {currentSources.map(({ id }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={sources.includes(id)}
                onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}
              />
              {id}
            </label>
          ))}
        </div>
      )}
      {sources.length === 0 ? <p class="problem">{texts.noneChosen}</p> : null}
      <Problems id="problems-sources" problems={checked.at(`${path}.sources`, true)} />
      {source === undefined ? (
        <button type="button" onClick={() => void add()}>
          {texts.add}
        </button>
      ) : (
        <>
          <TextField
            id="source-id"
            label={texts.id}
            value={source.id}
            onChange={rename}
            problems={checked.at(sourcePath, true)}
          />
          <p>
            {texts.key}: <code class="id">{source.writeKey}</code>{" "}
            <CopyButton text={source.writeKey} label={TEXTS.copy} />
          </p>
          <p class="hint">
            {TEXTS.setUp.once} {TEXTS.setUp.works}
          </p>
          {currentSources.length === 0 ? null : (
            <button
              type="button"
              onClick={() =>
                onChange({ ...draft, source: undefined, sources: sources.filter((chosen) => chosen !== source.id) })
              }
            >
              {texts.remove}
            </button>
          )}
        </>
      )}
    </SetUpStep>
  );
}

export function DestinationStep({ draft, checked, path, isNew, onChange }: StepProps) {
  const { destination: texts } = TEXTS.setUp;
  return (
    <SetUpStep title={TEXTS.setUp.steps.destination}>
      {isNew ? (
        <TextField
          id="destination-id"
          label={texts.id}
          hint={texts.idHint}
          value={draft.id}
          onChange={(id) => onChange({ ...draft, id })}
          problems={checked.at(`${path}.id`)}
        />
      ) : (
        <p>
          {texts.id}: <code>{draft.id}</code>
        </p>
      )}
      <TextField
        id="destination-name"
        label={texts.name}
        hint={texts.nameHint}
        value={draft.name}
        onChange={(name) => onChange({ ...draft, name })}
        problems={checked.at(`${path}.name`)}
      />
    </SetUpStep>
  );
}

export function SecretStep(props: StepProps) {
  const { draft, base, hiddenTexts, onChange } = props;
  const { secret: texts } = TEXTS.setUp;
  const { id, older, isStandard } = draft;
  const baseSecrets = destinationIn(base, id)?.sharedSecret ?? [];
  const isReplaced = baseSecrets.length > 0 && ![baseSecrets].flat().includes(draft.secret);
  return (
    <SetUpStep title={TEXTS.setUp.steps.secret} hint={texts.hint}>
      {hiddenTexts.has(draft.secret) ? (
        <p class="kept">
          {texts.kept}{" "}
          <button type="button" onClick={() => onChange(withNewSecret(draft))}>
            {texts.replace}
          </button>
        </p>
      ) : (
        <SecretEntry {...props} />
      )}
      {isReplaced ? (
        <p class="hint">
          {draft.secret === "" ? null : texts.replaced}{" "}
          <button type="button" onClick={() => onChange({ ...draft, ...secretsIn(baseSecrets) })}>
            {texts.keep}
          </button>
        </p>
      ) : null}
      {older.length === 0 ? null : (
        <p>
          {texts.older(older.length)}{" "}
          <button type="button" onClick={() => onChange({ ...draft, older: [] })}>
            {texts.dropOlder}
          </button>
        </p>
      )}
      <label>
        <input
          type="checkbox"
          checked={isStandard}
          disabled={draft.secret === ""}
          onChange={({ currentTarget }) => onChange({ ...draft, isStandard: currentTarget.checked })}
        />
        {texts.standard}
      </label>
    </SetUpStep>
  );
}

function SecretEntry({ draft, checked, path, onChange }: StepProps) {
  const { secret: texts } = TEXTS.setUp;
  const { secret } = draft;
  const changeSecret = (changed: string): void => onChange({ ...draft, secret: changed });
  return (
    <TextField
      id="secret"
      label={texts.label}
      hint={secretHint(secret)}
      value={secret}
      onChange={changeSecret}
      problems={checked.at(`${path}.sharedSecret`, true)}
      isWide
    >
      <CopyButton text={secret} label={TEXTS.copy} />
      <button type="button" onClick={() => changeSecret(newSecret())}>
        {texts.draw}
      </button>
    </TextField>
  );
}

function secretHint(secret: string): string | undefined {
  const { unsigned, short } = TEXTS.setUp.secret;
  if (secret === "") return unsigned;
  return secret.length < SAFE_SECRET_LENGTH ? short : undefined;
}
