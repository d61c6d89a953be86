// The message of a delivery, which is read only when it is asked for.

import { change } from "../base/ask.js";
import { TEXTS } from "../texts.js";
import { OnRequest } from "../parts/on-request.js";

interface MessageProps {
  /** Of the delivery, in the API. */
  readonly path: string;
  readonly hasMessage: boolean;
}

export function Message({ path, hasMessage }: MessageProps) {
  const { delivery: texts } = TEXTS;
  return (
    <section>
      <h2>{texts.message}</h2>
      {hasMessage ? (
        <OnRequest
          id="message"
          label={texts.showMessage}
          ask={() => change<{ readonly message: unknown }>("POST", `${path}/message`)}
          show={({ message }) => <pre tabIndex={0}>{JSON.stringify(message, null, 2)}</pre>}
        />
      ) : (
        <p>{texts.messageGone}</p>
      )}
    </section>
  );
}
