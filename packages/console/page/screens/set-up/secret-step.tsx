// The step of the shared secret: one that is drawn or given, and the way from one that is set to the next.

import { Field } from "../../parts/field.js";
import { CopyButton } from "../../parts/small.js";
import { destinationIn } from "../../settings/document.js";
import { drawSecret, secretsIn, withNewSecret } from "../../settings/draft.js";
import { TEXTS } from "../../texts.js";
import { Step, type StepProps } from "./step.js";

export function SecretStep(props: StepProps) {
  const { draft, base, kept, onChange } = props;
  const { secret: texts } = TEXTS.setUp;
  const { id, older, isStandard } = draft;
  const before = destinationIn(base, id)?.sharedSecret ?? [];
  const isReplaced = before.length > 0 && ![before].flat().includes(draft.secret);
  return (
    <Step title={TEXTS.setUp.steps.secret} hint={texts.hint}>
      {kept.has(draft.secret) ? (
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
          <button type="button" onClick={() => onChange({ ...draft, ...secretsIn(before) })}>
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
    </Step>
  );
}

/** A shorter secret could be found from one signed message. */
const SHORT = 16;

function SecretEntry({ draft, checked, path, onChange }: StepProps) {
  const { secret: texts } = TEXTS.setUp;
  const { secret } = draft;
  const set = (changed: string): void => onChange({ ...draft, secret: changed });
  return (
    <Field
      id="secret"
      label={texts.label}
      hint={secret === "" ? texts.unsigned : secret.length < SHORT ? texts.short : undefined}
      value={secret}
      onChange={set}
      problems={checked.at(`${path}.sharedSecret`, true)}
      isWide
    >
      <CopyButton text={secret} label={TEXTS.copy} />
      <button type="button" onClick={() => set(drawSecret())}>
        {texts.draw}
      </button>
    </Field>
  );
}
