// A field of a form with its label, a hint, and the problems of its value, which a screen reader reads with the field; and a group of boxes
// of which several may be checked.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

interface FieldProps {
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

export function TextField({
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
  // An empty field is no mistake yet.
  const shownProblems = isTouched ? problems : [];
  const describedBy = [
    hint === undefined ? [] : [`${id}-hint`],
    shownProblems.length === 0 ? [] : [`${id}-problems`],
  ].flat();
  const input = {
    id,
    value,
    autoComplete: "off",
    spellcheck: false,
    "aria-invalid": shownProblems.length > 0,
    "aria-describedby": describedBy.length === 0 ? undefined : describedBy.join(" "),
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
      <Problems id={`${id}-problems`} problems={shownProblems} />
    </div>
  );
}

/** The problems of a value, as text. */
export function Problems({ id, problems }: { readonly id: string; readonly problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <span id={id} class="problem">
      {problems.join("; ")}
    </span>
  );
}

interface ChecksProps<T extends string> {
  readonly legend: string;
  /** In the order of the boxes, and of the chosen ones. */
  readonly options: readonly T[];
  readonly textOf: (option: T) => string;
  readonly chosen: readonly T[];
  readonly onChoose: (chosen: readonly T[]) => void;
}

export function Checks<T extends string>({ legend, options, textOf, chosen, onChoose }: ChecksProps<T>) {
  return (
    <fieldset class="states">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option}>
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={({ currentTarget: { checked } }) =>
              onChoose(options.filter((candidate) => (candidate === option ? checked : chosen.includes(candidate))))
            }
          />
          {textOf(option)}
        </label>
      ))}
    </fieldset>
  );
}
