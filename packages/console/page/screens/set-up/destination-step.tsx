// The step of the destination: its id and its name.

import { Field } from "../../parts/field.js";
import { TEXTS } from "../../texts.js";
import { Step, type StepProps } from "./step.js";

export function DestinationStep({ draft, checked, path, isNew, onChange }: StepProps) {
  const { destination: texts } = TEXTS.setUp;
  return (
    <Step title={TEXTS.setUp.steps.destination}>
      {isNew ? (
        <Field
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
      <Field
        id="destination-name"
        label={texts.name}
        hint={texts.nameHint}
        value={draft.name}
        onChange={(name) => onChange({ ...draft, name })}
        problems={checked.at(`${path}.name`)}
      />
    </Step>
  );
}
