// A field whose value may be set and not shown.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Field } from "../../parts/field.js";
import { TEXTS } from "../../texts.js";

interface SecretFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly kept: ReadonlySet<string>;
  readonly type: "url" | "password";
  readonly onChange: (value: string) => void;
  readonly problems?: readonly string[];
  readonly children?: ComponentChildren;
}

/** Shows the field, or that a value is set: then another one can be entered. */
export function SecretField({ id, label, value, kept, onChange, type, problems = [], children }: SecretFieldProps) {
  const { endpoints: texts } = TEXTS.setUp;
  const [before] = useState(value);
  if (!kept.has(value)) {
    return (
      <Field id={id} label={label} value={value} onChange={onChange} type={type} problems={problems} isWide>
        {kept.has(before) ? (
          <button type="button" onClick={() => onChange(before)}>
            {texts.keep}
          </button>
        ) : null}
        {children}
      </Field>
    );
  }
  return (
    <p class="kept">
      {label}: {texts.set}{" "}
      <button type="button" onClick={() => onChange("")}>
        {texts.replace}
      </button>
      {children}
    </p>
  );
}
