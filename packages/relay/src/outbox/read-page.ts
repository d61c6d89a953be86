// Reads the outbox page by page.

import type { OutboxEntry, SourceId } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { ResultAsync } from "neverthrow";
import { OUTBOX_PAGE } from "../limits.js";
import type { AskOutbox } from "../commits/storage.js";
import type { StoreFault } from "../fault.js";

/** The page that follows the entry `after`; without it the first. Sources in `except` are left out. */
export function readOutboxPage(
  ask: AskOutbox,
  after: string | undefined,
  except: readonly SourceId[] = [],
): ResultAsync<readonly OutboxEntry[], StoreFault> {
  return ask((outbox) => outbox.read({ limit: OUTBOX_PAGE, except, ...defined({ after }) }));
}

/** The last entry of a page that another one follows; undefined if it is the last page. */
export function nextPageAfter(page: readonly OutboxEntry[]): string | undefined {
  return page.length < OUTBOX_PAGE ? undefined : page.at(-1)?.id;
}
