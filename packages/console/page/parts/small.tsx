// Small parts that many screens show: an instant and the time until one, a state, a fault, a button that copies.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { type FetchFault, UNREACHABLE } from "../base/ask.js";
import { formatInstant, formatLength } from "../base/format.js";
import { TEXTS } from "../texts.js";

/** The time for countdowns: moves each second while the page is seen. */
const currentTime = signal(Date.now());

const SECOND_MS = 1_000;

setInterval(() => {
  if (!document.hidden) currentTime.value = Date.now();
}, SECOND_MS);

/** An instant of the API as time of day; the full one is its title. */
export function InstantText({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={at}>
      {formatInstant(date, new Date(currentTime.value))}
    </time>
  );
}

/** The time until an instant; "now" once it is there. */
export function timeUntil(at: string): string {
  return formatLength(Math.max(0, Date.parse(at) - currentTime.value));
}

export type Tone = "good" | "busy" | "warn" | "bad" | "off";

/** A word with a colour. The word alone says it too. */
export function Chip({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`chip ${tone}`}>{children}</span>;
}

/** The reason for a failure, and a button to try again, if there is a way. */
export function FaultNote({ fault, again }: { readonly fault: FetchFault; readonly again?: () => void }) {
  return (
    <div class="note bad" role="alert">
      <p>{faultText(fault)}</p>
      {again === undefined ? null : (
        <button type="button" onClick={again}>
          {TEXTS.retry}
        </button>
      )}
    </div>
  );
}

function faultText(fault: FetchFault): string {
  return fault.code === UNREACHABLE ? TEXTS.fault.unreachable : `${TEXTS.fault.title}: ${fault.message}`;
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <button type="button" onClick={copy} onBlur={() => setCopied(false)}>
      {isCopied ? TEXTS.copied : label}
    </button>
  );
}

/** A wide table that scrolls by itself, also by the keyboard. */
export function TableBox({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div class="table" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}

/** A choice of one of several values, or of any. */
export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">{TEXTS.deliveries.any}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
}
