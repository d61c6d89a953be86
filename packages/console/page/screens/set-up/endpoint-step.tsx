// The step of the receivers: up to five URLs, each with up to five headers.

import { Problems } from "../../parts/field.js";
import type { Checked } from "../../settings/checked.js";
import { HIDDEN } from "../../settings/document.js";
import {
  EMPTY_ENDPOINT,
  type EndpointDraft,
  type HeaderDraft,
  MAX_ENDPOINTS,
  MAX_HEADERS,
} from "../../settings/draft.js";
import { type Finding, useProbed } from "../../settings/probed.js";
import { TEXTS } from "../../texts.js";
import { FindingText } from "./finding-text.js";
import { HeaderFields } from "./header-fields.js";
import { SecretField } from "./secret-field.js";
import { Step, type StepProps } from "./step.js";

export function EndpointStep({ draft, checked, path, kept, onChange }: StepProps) {
  const { endpoints: texts } = TEXTS.setUp;
  const { endpoints } = draft;
  const at = (index: number): string => `${path}.endpoints[${String(index)}]`;
  const isGood = (index: number): boolean => {
    const { url = "" } = endpoints[index] ?? {};
    return !checked.isChecking && url !== "" && url !== HIDDEN && problemsOfUrl(checked, at(index)).length === 0;
  };
  const probed = useProbed(draft, isGood);
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
          path={at(index)}
          finding={probed.at(index)}
          onProbe={() => probed.again(index)}
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

function problemsOfUrl(checked: Checked, path: string): readonly string[] {
  return [...checked.at(path), ...checked.at(`${path}.url`)];
}

interface EndpointProps {
  readonly endpoint: EndpointDraft;
  readonly number: number;
  readonly checked: Checked;
  readonly kept: ReadonlySet<string>;
  readonly path: string;
  readonly finding: Finding | "probing" | undefined;
  readonly onProbe: () => void;
  readonly onChange: (endpoint: EndpointDraft) => void;
  readonly onRemove: (() => void) | undefined;
}

function Endpoint({ endpoint, number, checked, kept, path, finding, onProbe, onChange, onRemove }: EndpointProps) {
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
