// The content of a delivery, which often has personal data: its message, and the requests by which it would go out now, as text and as
// commands. A user who may see it has to ask for it, and each time is logged.

import type { DeliveryRequestsJson, RecordJson } from "@postrider/http/api";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type FetchResult, change, fetchData } from "../base/ask.js";
import { canSeeBodies } from "../base/session.js";
import { TEXTS } from "../texts.js";
import { FaultNote, CopyButton } from "../parts/small.js";

interface OnRequestProps<T> {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly ask: () => Promise<FetchResult<T>>;
  readonly show: (content: T) => ComponentChildren;
}

function OnRequest<T>({ id, label, ask, show }: OnRequestProps<T>) {
  const [answer, setAnswer] = useState<FetchResult<T>>();
  const { delivery: texts } = TEXTS;
  if (answer?.kind === "ok") return <>{show(answer.value)}</>;
  if (!canSeeBodies.value) return <p>{texts.messageForbidden}</p>;
  return (
    <>
      {answer === undefined ? null : <FaultNote fault={answer} />}
      <button type="button" aria-describedby={`${id}-hint`} onClick={() => void ask().then(setAnswer)}>
        {label}
      </button>
      <p id={`${id}-hint`} class="hint">
        {texts.messageHint}
      </p>
    </>
  );
}

interface MessageProps {
  /** The path of the delivery in the API. */
  readonly path: string;
  readonly hasMessage: boolean;
}

export function DeliveryMessage({ path, hasMessage }: MessageProps) {
  const { delivery: texts } = TEXTS;
  return (
    <section>
      <h2>{texts.message}</h2>
      {hasMessage ? (
        <OnRequest
          id="message"
          label={texts.showMessage}
          ask={() => change<Pick<RecordJson, "message">>("POST", `${path}/message`)}
          show={({ message }) => <pre tabIndex={0}>{JSON.stringify(message, null, 2)}</pre>}
        />
      ) : (
        <p>{texts.messageGone}</p>
      )}
    </section>
  );
}

type OutgoingRequest = DeliveryRequestsJson["requests"][number];

interface RequestsProps {
  /** The path of the delivery in the API. */
  readonly path: string;
  readonly hasMessage: boolean;
}

export function DeliveryRequests({ path, hasMessage }: RequestsProps) {
  const { requests: texts } = TEXTS.delivery;
  if (!hasMessage || !canSeeBodies.value) return null;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p class="hint">{texts.hint}</p>
      <OnRequest
        id="requests"
        label={texts.show}
        ask={() => fetchData<DeliveryRequestsJson>(`${path}/requests`)}
        show={({ requests }) => requests.map((request, index) => <RequestText key={index} request={request} />)}
      />
    </section>
  );
}

function RequestText({ request }: { readonly request: OutgoingRequest }) {
  const { method, url, headers, body } = request;
  const lines = [`${method} ${url}`, ...headers.map(({ name, value }) => `${name}: ${value}`), "", body];
  return (
    <>
      <pre tabIndex={0}>{lines.join("\n")}</pre>
      <CopyButton text={curlOf(request)} label={TEXTS.delivery.requests.copy} />
    </>
  );
}

/** The request as a command of a shell, with the very bytes of the body, since they are signed. */
function curlOf({ url, headers, body }: OutgoingRequest): string {
  const headerOptions = headers.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`);
  return [`curl ${quoted(url)}`, ...headerOptions, `--data-raw ${quoted(body)}`].join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
