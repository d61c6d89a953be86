// The step of the source: which sources the destination receives from, and a new one with its key.

import { Field, Problems } from "../../parts/field.js";
import { CopyButton } from "../../parts/small.js";
import { freeSourceId, pathOfEntry } from "../../settings/document.js";
import { newSource } from "../../settings/draft.js";
import { TEXTS } from "../../texts.js";
import { Step, type StepProps } from "./step.js";

export function SourceStep({ draft, base, document, checked, path, onChange }: StepProps) {
  const { source: texts } = TEXTS.setUp;
  const { source, sources } = draft;
  const known = base.sources ?? [];
  const toggle = (id: string, isChosen: boolean): void =>
    onChange({ ...draft, sources: isChosen ? [...sources, id] : sources.filter((one) => one !== id) });
  const rename = (id: string): void => {
    if (source === undefined) return;
    const renamed = sources.map((one) => (one === source.id ? id : one));
    onChange({ ...draft, source: { ...source, id }, sources: renamed });
  };
  const add = async (): Promise<void> => {
    const made = await newSource(freeSourceId(base));
    onChange({ ...draft, source: made, sources: [...sources, made.id] });
  };
  const sourcePath = source === undefined ? "" : pathOfEntry(document, "sources", source.id);
  return (
    <Step title={TEXTS.setUp.steps.source} hint={texts.hint}>
      {known.length === 0 ? null : (
        <div role="group" aria-label={texts.from} class="choices">
          <span>{texts.from}</span>
          {known.map(({ id }) => (
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
          <Field
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
          {known.length === 0 ? null : (
            <button
              type="button"
              onClick={() =>
                onChange({ ...draft, source: undefined, sources: sources.filter((one) => one !== source.id) })
              }
            >
              {texts.remove}
            </button>
          )}
        </>
      )}
    </Step>
  );
}
