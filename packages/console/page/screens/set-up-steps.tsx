// The steps of the form: source, destination, receivers and shared secret. Each shows what is wrong at its fields.

import type { ComponentChildren } from "preact";
import { Field, Problems } from "../parts/field.js";
import { CopyButton } from "../parts/small.js";
import type { Checked } from "../settings/checked.js";
import { type Document, pathOfEntry } from "../settings/document.js";
import {
  type Draft,
  drawSecret,
  EMPTY_ENDPOINT,
  type EndpointDraft,
  type HeaderDraft,
  MAX_ENDPOINTS,
  MAX_HEADERS,
  newSource,
} from "../settings/draft.js";
import { TEXTS } from "../texts.js";

export interface StepProps {
  readonly draft: Draft;
  /** The settings without the draft, and with it. */
  readonly base: Document;
  readonly document: Document;
  readonly checked: Checked;
  /** The path of the destination in the document. */
  readonly path: string;
  readonly isNew: boolean;
  /** Whether the store keeps the settings, so that they can be tried and saved here. */
  readonly isStore: boolean;
  /** The texts that stand for what is set and not shown. */
  readonly kept: ReadonlySet<string>;
  readonly onChange: (draft: Draft) => void;
}

export function Step({
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
  const known = base.sources ?? [];
  const toggle = (id: string, isChosen: boolean): void =>
    onChange({ ...draft, sources: isChosen ? [...sources, id] : sources.filter((one) => one !== id) });
  const rename = (id: string): void => {
    if (source === undefined) return;
    const renamed = sources.map((one) => (one === source.id ? id : one));
    onChange({ ...draft, source: { ...source, id }, sources: renamed });
  };
  const add = async (): Promise<void> => {
    const made = await newSource(freeId(known.map(({ id }) => id)));
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
          <p class="hint">{texts.keyHint}</p>
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

/** An id that no source has. */
function freeId(taken: readonly string[]): string {
  let number = 1;
  while (taken.includes(`source-${String(number)}`)) number += 1;
  return `source-${String(number)}`;
}

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

export function EndpointStep({ draft, checked, path, kept, onChange }: StepProps) {
  const { endpoints: texts } = TEXTS.setUp;
  const { endpoints } = draft;
  const set = (index: number, endpoint: EndpointDraft): void =>
    onChange({ ...draft, endpoints: endpoints.map((one, at) => (at === index ? endpoint : one)) });
  return (
    <Step title={TEXTS.setUp.steps.endpoints} hint={texts.hint}>
      {endpoints.map((endpoint, index) => (
        <Endpoint
          key={index}
          endpoint={endpoint}
          number={index + 1}
          checked={checked}
          kept={kept}
          path={`${path}.endpoints[${String(index)}]`}
          onChange={(changed) => set(index, changed)}
          onRemove={
            endpoints.length > 1
              ? () => onChange({ ...draft, endpoints: endpoints.filter((_, at) => at !== index) })
              : undefined
          }
        />
      ))}
      {endpoints.length < MAX_ENDPOINTS ? (
        <button type="button" onClick={() => onChange({ ...draft, endpoints: [...endpoints, EMPTY_ENDPOINT] })}>
          {texts.add}
        </button>
      ) : null}
    </Step>
  );
}

interface EndpointProps {
  readonly endpoint: EndpointDraft;
  readonly number: number;
  readonly checked: Checked;
  readonly kept: ReadonlySet<string>;
  readonly path: string;
  readonly onChange: (endpoint: EndpointDraft) => void;
  readonly onRemove: (() => void) | undefined;
}

function Endpoint({ endpoint, number, checked, kept, path, onChange, onRemove }: EndpointProps) {
  const { endpoints: texts } = TEXTS.setUp;
  const { url, headers } = endpoint;
  const setHeader = (index: number, header: HeaderDraft | undefined): void =>
    onChange({ ...endpoint, headers: headers.flatMap((one, at) => (at === index ? (header ?? []) : one)) });
  return (
    <div class="endpoint">
      <SecretField
        id={`url-${String(number)}`}
        label={texts.url(number)}
        value={url}
        kept={kept}
        type="url"
        onChange={(changed) => onChange({ ...endpoint, url: changed })}
        problems={[...checked.at(path), ...checked.at(`${path}.url`)]}
      >
        {onRemove === undefined ? null : (
          <button type="button" aria-label={texts.remove(number)} onClick={onRemove}>
            ×
          </button>
        )}
      </SecretField>
      {headers.map((header, index) => (
        <Header
          key={index}
          id={`header-${String(number)}-${String(index + 1)}`}
          label={texts.header(number)}
          header={header}
          kept={kept}
          problems={[
            ...checked.at(`${path}.headers.${header.name}`),
            ...checked.at(`${path}.headers["${header.name}"]`),
          ]}
          onChange={(changed) => setHeader(index, changed)}
        />
      ))}
      <Problems id={`headers-${String(number)}-problems`} problems={checked.at(`${path}.headers`)} />
      {headers.length < MAX_HEADERS ? (
        <button type="button" onClick={() => onChange({ ...endpoint, headers: [...headers, { name: "", value: "" }] })}>
          {texts.addHeader(number)}
        </button>
      ) : null}
    </div>
  );
}

interface HeaderProps {
  readonly id: string;
  readonly label: string;
  readonly header: HeaderDraft;
  readonly kept: ReadonlySet<string>;
  readonly problems: readonly string[];
  readonly onChange: (header: HeaderDraft | undefined) => void;
}

function Header({ id, label, header, kept, problems, onChange }: HeaderProps) {
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

/** A field whose value may be set and not shown: then another one can be entered. */
function SecretField({ id, label, value, kept, onChange, type, problems = [], children }: SecretFieldProps) {
  const { endpoints: texts } = TEXTS.setUp;
  if (!kept.has(value)) {
    return (
      <Field id={id} label={label} value={value} onChange={onChange} type={type} problems={problems} isWide>
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

export function SecretStep({ draft, checked, path, kept, onChange }: StepProps) {
  const { secret: texts } = TEXTS.setUp;
  const { secret } = draft;
  const isSet = kept.has(secret);
  const set = (changed: string): void => onChange({ ...draft, secret: changed });
  return (
    <Step title={TEXTS.setUp.steps.secret} hint={texts.hint}>
      {isSet ? (
        <p class="kept">
          {texts.kept}{" "}
          <button type="button" onClick={() => set(drawSecret())}>
            {texts.replace}
          </button>
        </p>
      ) : (
        <Field
          id="secret"
          label={texts.label}
          hint={secret === "" ? texts.unsigned : undefined}
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
      )}
    </Step>
  );
}
