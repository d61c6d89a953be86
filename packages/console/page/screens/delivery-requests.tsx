// The requests by which a delivery would go out now, as text and as commands: read only when they are asked for, since they have the
// message.

import { read } from "../base/ask.js";
import { canSeeBodies } from "../base/session.js";
import { OnRequest } from "../parts/on-request.js";
import { CopyButton } from "../parts/small.js";
import { TEXTS } from "../texts.js";

interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

interface RequestsProps {
  /** Of the delivery, in the API. */
  readonly path: string;
  readonly hasMessage: boolean;
}

export function Requests({ path, hasMessage }: RequestsProps) {
  const { requests: texts } = TEXTS.delivery;
  if (!hasMessage || !canSeeBodies.value) return null;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p class="hint">{texts.hint}</p>
      <OnRequest
        id="requests"
        label={texts.show}
        ask={() => read<{ readonly requests: readonly OutgoingRequest[] }>(`${path}/requests`)}
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
  const given = headers.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`);
  return [`curl ${quoted(url)}`, ...given, `--data-raw ${quoted(body)}`].join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
