// The step of the receivers: up to five URLs, each with up to five headers. A value that is set already may be hidden. Shows for each URL the
// finding about its name, its address and its certificate, for which the server sends no request.

import type { FindingJson } from "@postrider/http/api";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Problems, TextField } from "../../parts/field.js";
import { type Checked, useFindings } from "../../settings/checked.js";
import { HIDDEN } from "../../settings/document.js";
import {
  EMPTY_ENDPOINT,
  type EndpointDraft,
  type HeaderDraft,
  MAX_ENDPOINTS,
  MAX_HEADERS,
} from "../../settings/draft.js";
import { TEXTS } from "../../texts.js";
import { SetUpStep, type StepProps } from "./steps.js";
import { Chip, type Tone } from "../../parts/small.js";

const TONES: Readonly<Record<FindingJson["kind"], Tone>> = { ok: "good", warning: "busy", fault: "bad" };

export function EndpointStep({ draft, checked, path, hiddenTexts, onChange }: StepProps) {
  const { endpoints: texts } = TEXTS.setUp;
  const { endpoints } = draft;
  const pathAt = (index: number): string => `${path}.endpoints[${String(index)}]`;
  const isGood = (index: number): boolean => {
    const { url = "" } = endpoints[index] ?? {};
    return !checked.isChecking && url !== "" && url !== HIDDEN && problemsOfUrl(checked, pathAt(index)).length === 0;
  };
  const findings = useFindings(draft, isGood);
  const changeEndpoint = (index: number, endpoint: EndpointDraft): void =>
    onChange({ ...draft, endpoints: endpoints.map((existing, place) => (place === index ? endpoint : existing)) });
  return (
    <SetUpStep title={TEXTS.setUp.steps.endpoints} hint={texts.hint}>
      {endpoints.map((endpoint, index) => (
        <Endpoint
          key={index}
          endpoint={endpoint}
          number={index + 1}
          checked={checked}
          hiddenTexts={hiddenTexts}
          path={pathAt(index)}
          finding={findings.at(index)}
          onProbe={() => findings.again(index)}
          onChange={(changed) => changeEndpoint(index, changed)}
          onRemove={
            endpoints.length > 1
              ? () => onChange({ ...draft, endpoints: endpoints.filter((_, place) => place !== index) })
              : undefined
          }
        />
      ))}
      {endpoints.length < MAX_ENDPOINTS ? (
        <button type="button" onClick={() => onChange({ ...draft, endpoints: [...endpoints, EMPTY_ENDPOINT] })}>
          {texts.add}
        </button>
      ) : null}
    </SetUpStep>
  );
}

function problemsOfUrl(checked: Checked, path: string): readonly string[] {
  return [...checked.at(path), ...checked.at(`${path}.url`)];
}

interface EndpointProps {
  readonly endpoint: EndpointDraft;
  readonly number: number;
  readonly checked: Checked;
  readonly hiddenTexts: ReadonlySet<string>;
  readonly path: string;
  readonly finding: FindingJson | "looking-up" | undefined;
  readonly onProbe: () => void;
  readonly onChange: (endpoint: EndpointDraft) => void;
  readonly onRemove: (() => void) | undefined;
}

function Endpoint({
  endpoint,
  number,
  checked,
  hiddenTexts,
  path,
  finding,
  onProbe,
  onChange,
  onRemove,
}: EndpointProps) {
  const { endpoints: texts } = TEXTS.setUp;
  const { url, headers } = endpoint;
  const setHeader = (index: number, header: HeaderDraft | undefined): void =>
    onChange({
      ...endpoint,
      headers: headers.flatMap((existing, place) => (place === index ? (header ?? []) : existing)),
    });
  return (
    <div class="endpoint">
      <SecretField
        id={`url-${String(number)}`}
        label={texts.url(number)}
        value={url}
        hiddenTexts={hiddenTexts}
        type="url"
        onChange={(changed) => onChange({ ...endpoint, url: changed })}
        problems={problemsOfUrl(checked, path)}
      >
        {onRemove === undefined ? null : (
          <button type="button" aria-label={texts.remove(number)} onClick={onRemove}>
            ×
          </button>
        )}
      </SecretField>
      <FindingText number={number} finding={finding} onProbe={onProbe} />
      {headers.map((header, index) => (
        <HeaderFields
          key={index}
          id={`header-${String(number)}-${String(index + 1)}`}
          label={texts.header(number)}
          header={header}
          hiddenTexts={hiddenTexts}
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

interface HeaderFieldsProps {
  readonly id: string;
  readonly label: string;
  readonly header: HeaderDraft;
  readonly hiddenTexts: ReadonlySet<string>;
  readonly problems: readonly string[];
  readonly onChange: (header: HeaderDraft | undefined) => void;
}

function HeaderFields({ id, label, header, hiddenTexts, problems, onChange }: HeaderFieldsProps) {
  const { endpoints: texts } = TEXTS.setUp;
  return (
    <div class="header">
      <TextField
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
        hiddenTexts={hiddenTexts}
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
  readonly hiddenTexts: ReadonlySet<string>;
  readonly type: "url" | "password";
  readonly onChange: (value: string) => void;
  readonly problems?: readonly string[];
  readonly children?: ComponentChildren;
}

/** Shows the field, or that a value is set: then another one can be entered. */
function SecretField({ id, label, value, hiddenTexts, onChange, type, problems = [], children }: SecretFieldProps) {
  const { endpoints: texts } = TEXTS.setUp;
  const [firstValue] = useState(value);
  if (!hiddenTexts.has(value)) {
    return (
      <TextField id={id} label={label} value={value} onChange={onChange} type={type} problems={problems} isWide>
        {hiddenTexts.has(firstValue) ? (
          <button type="button" onClick={() => onChange(firstValue)}>
            {texts.keep}
          </button>
        ) : null}
        {children}
      </TextField>
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

interface FindingTextProps {
  readonly number: number;
  /** Undefined if nothing is known. */
  readonly finding: FindingJson | "looking-up" | undefined;
  /** Tries the URL again. */
  readonly onProbe: () => void;
}

function FindingText({ number, finding, onProbe }: FindingTextProps) {
  const { endpoints: texts } = TEXTS.setUp;
  return (
    <div class="finding" aria-live="polite">
      {finding === "looking-up" ? texts.probing : null}
      {finding === undefined || finding === "looking-up" ? null : (
        <>
          <Chip tone={TONES[finding.kind]}>{texts.findings[finding.kind]}</Chip> {finding.message}
          {finding.change === null ? null : `; ${finding.change}`}
          {finding.kind === "ok" ? null : (
            <>
              {" "}
              <button type="button" aria-label={texts.probeAgain(number)} onClick={onProbe}>
                {TEXTS.retry}
              </button>
            </>
          )}
        </>
      )}
    </div>
  );
}
