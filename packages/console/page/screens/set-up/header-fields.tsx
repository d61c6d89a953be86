// The fields of one header of a receiver.

import { Field } from "../../parts/field.js";
import type { HeaderDraft } from "../../settings/draft.js";
import { TEXTS } from "../../texts.js";
import { SecretField } from "./secret-field.js";

interface HeaderFieldsProps {
  readonly id: string;
  readonly label: string;
  readonly header: HeaderDraft;
  readonly kept: ReadonlySet<string>;
  readonly problems: readonly string[];
  readonly onChange: (header: HeaderDraft | undefined) => void;
}

export function HeaderFields({ id, label, header, kept, problems, onChange }: HeaderFieldsProps) {
  const { endpoints: texts } = TEXTS.setUp;
  return (
    <div class="header">
      <Field
        id={id}
        label={label}
        value={header.name}
        onChange={(name) => onChange({ ...header, name })}
        problems={problems}
      />
      <SecretField
        id={`${id}-value`}
        label={texts.value(header.name)}
        value={header.value}
        kept={kept}
        type="password"
        onChange={(value) => onChange({ ...header, value })}
      >
        <button type="button" aria-label={texts.removeHeader(header.name)} onClick={() => onChange(undefined)}>
          ×
        </button>
      </SecretField>
    </div>
  );
}
