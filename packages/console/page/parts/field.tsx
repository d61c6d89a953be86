// A field of a form with its label, a hint, and what is wrong with its value, which a screen reader reads with the field.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface FieldProps {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string | undefined;
  readonly problems?: readonly string[];
  readonly type?: "text" | "url" | "password";
  readonly isWide?: boolean;
  /** Beside the input. */
  readonly children?: ComponentChildren;
}

export function Field({
  id,
  label,
  value,
  onChange,
  hint,
  problems = [],
  type = "text",
  isWide = false,
  children,
}: FieldProps) {
  const [isTouched, setTouched] = useState(value !== "");
  // What nobody has entered yet is no mistake.
  const shown = isTouched ? problems : [];
  const described = [hint === undefined ? [] : [`${id}-hint`], shown.length === 0 ? [] : [`${id}-problems`]].flat();
  const input = {
    ...{ id, value, autoComplete: "off", spellcheck: false, "aria-invalid": shown.length > 0 },
    "aria-describedby": described.length === 0 ? undefined : described.join(" "),
    onBlur: (): void => setTouched(true),
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
      setTouched(true);
      onChange(currentTarget.value);
    },
  };
  return (
    <div class={isWide ? "field wide-field" : "field"}>
      <label for={id}>{label}</label>
      <span class="beside">
        {type === "password" ? <input type="password" {...input} /> : <input type="text" {...input} />}
        {children}
      </span>
      {hint === undefined ? null : (
        <span id={`${id}-hint`} class="hint">
          {hint}
        </span>
      )}
      <Problems id={`${id}-problems`} problems={shown} />
    </div>
  );
}

/** What is wrong, as text. */
export function Problems({ id, problems }: { readonly id: string; readonly problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <span id={id} class="problem">
      {problems.join("; ")}
    </span>
  );
}
