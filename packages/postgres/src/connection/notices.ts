// Listens to what the database says beside its answer to a request.

import type { PostgresClient } from "../pool.js";

/** What a synchronous standby that does not answer makes of a commit: it comes with success, and nothing is promised. */
const LOCAL_ONLY = /committed locally/;

export interface NoticeWatch {
  readonly isLocalOnly: () => boolean;
  readonly end: () => void;
}

/** Listens until `end`. */
export function watchNotices(client: PostgresClient): NoticeWatch {
  let isLocalOnly = false;
  const note = ({ message = "" }: { readonly message?: string | undefined }): void => {
    isLocalOnly ||= LOCAL_ONLY.test(message);
  };
  // A connection that breaks tells so by its query too; without a listener the process would end.
  const ignore = (): void => undefined;
  client.on("notice", note);
  client.on("error", ignore);
  return {
    isLocalOnly: () => isLocalOnly,
    end: (): void => {
      client.removeListener("notice", note);
      client.removeListener("error", ignore);
    },
  };
}
