// The list of deliveries, newest first: read again each second while it is live, by the filters in the address. The
// server looks at a part of a large store at a time, so that a search goes on until some are found. A person gets the
// list as a file, page by page, up to a limit, without messages.

import type { DeliveryJson, DeliveryPageJson } from "@postrider/http/api";
import { useState, useEffect, useRef } from "preact/hooks";
import { formatNumber } from "../base/format.js";
import { usePolled } from "../base/polled.js";
import { addressOf, Link, place } from "../base/router.js";
import { isOperator } from "../base/session.js";
import { Screen } from "../parts/screen.js";
import { FaultNote } from "../parts/small.js";
import { TEXTS } from "../texts.js";
import { Columns, useColumns, DeliveryTable } from "./delivery-table.js";
import { apiParametersOf, FilterForm, type Filters, filtersIn } from "./delivery-filters.js";
import { ReplayDialog } from "./replays.js";
import { type FetchResult, fetchData, type FetchFault } from "../base/ask.js";
import { csvOf, download, downloadJson } from "../base/download.js";

const POLL_MS = 1_000;

const ROWS = "200";

/** A list with a start in the past moves on with the clock, in steps, so that its address stays the same for a while. */
const START_STEP_MS = 10_000;

/** The number of deliveries that the server looks at for one page. */
const LOOKED_AT = 20_000;

/** The most pages of one search, which is ten million deliveries. */
const MAX_SEARCH_PAGES = 500;

/** The most that the API answers at once. */
const PAGE_ROWS = 500;

/** The most rows of a file. */
const MAX_ROWS = 100_000;

/** The most requests of one file; a page may have few rows, since the server looks at a part of a large store at a time. */
const MAX_EXPORT_PAGES = 5_000;

export function Deliveries() {
  const { query } = place.value;
  const [isLive, setLive] = useState(true);
  const filters = filtersIn(query);
  const after = query.get("after") ?? undefined;
  const now = Math.floor(Date.now() / START_STEP_MS) * START_STEP_MS;
  const path = addressOf("api/deliveries", { ...apiParametersOf(filters, now), after, limit: ROWS });
  const [lookedAt, setLookedAt] = useState(0);
  const everyMs = isLive && after === undefined ? POLL_MS : 0;
  const { value, fault, again } = usePolled(path, everyMs, (pagePath) => search(pagePath, setLookedAt));
  const { deliveries: texts } = TEXTS;
  const [columns, setColumns] = useColumns();
  return (
    <Screen title={texts.title}>
      <FilterForm key={query.toString()} />
      <div class="bar">
        <label title={texts.liveHint}>
          <input
            type="checkbox"
            checked={isLive && after === undefined}
            disabled={after !== undefined}
            onChange={({ currentTarget: { checked } }) => setLive(checked)}
          />
          {texts.live}
        </label>
        <span class="faint">
          {value === undefined ? progressText(lookedAt) : texts.count(formatNumber(value.deliveries.length))}
        </span>
        <span class="faint wide">{texts.keys}</span>
        <Columns columns={columns} onChoose={setColumns} />
        <ReplayButton filters={filters} />
      </div>
      {fault === undefined ? null : <FaultNote fault={fault} again={again} />}
      {value === undefined ? null : (
        <>
          <DeliveryTable deliveries={value.deliveries} columns={columns} />
          <Pages filters={filters} isFirst={after === undefined} next={value.next} />
        </>
      )}
      <ExportDeliveries key={query.toString()} query={() => apiParametersOf(filters, Date.now())} />
    </Screen>
  );
}

interface PagesProps {
  readonly filters: Filters;
  readonly isFirst: boolean;
  /** The place where the next page begins; null on the last one. */
  readonly next: string | null;
}

function Pages({ filters, isFirst, next }: PagesProps) {
  const { deliveries: texts } = TEXTS;
  return (
    <nav class="pages" aria-label={texts.caption}>
      {isFirst ? null : <Link to={addressOf("deliveries", filters)}>{texts.newest}</Link>}
      {next === null ? null : <Link to={addressOf("deliveries", { ...filters, after: next })}>{texts.older}</Link>}
    </nav>
  );
}

/** Opens the dialog that replays the whole filter, for users who may. */
function ReplayButton({ filters }: { readonly filters: Filters }) {
  const [isOpen, setOpen] = useState(false);
  if (!isOperator.value) return null;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {TEXTS.deliveries.replay}
      </button>
      {isOpen ? <ReplayDialog filters={filters} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function progressText(lookedAt: number): string {
  return lookedAt === 0 ? TEXTS.loading : TEXTS.deliveries.lookedAt(formatNumber(lookedAt));
}

/** The first page with a delivery, or the last one. `onProgress` gets the number of deliveries that were looked at. */
async function search(path: string, onProgress: (lookedAt: number) => void): Promise<FetchResult<DeliveryPageJson>> {
  let answer = await readDeliveries(path, null);
  for (let pages = 1; pages < MAX_SEARCH_PAGES && isToGoOn(answer); pages += 1) {
    onProgress(pages * LOOKED_AT);
    answer = await readDeliveries(path, answer.value.next);
  }
  return answer;
}

/** A page of a list. `path` has a query; `after` is where the page before has ended, null for the first one. */
function readDeliveries(path: string, after: string | null): Promise<FetchResult<DeliveryPageJson>> {
  return fetchData(after === null ? path : `${path}&after=${encodeURIComponent(after)}`);
}

function isToGoOn(
  answer: FetchResult<DeliveryPageJson>,
): answer is { readonly kind: "ok"; readonly value: DeliveryPageJson & { readonly next: string } } {
  return answer.kind === "ok" && answer.value.deliveries.length === 0 && answer.value.next !== null;
}

type Format = "csv" | "json";

type ExportState =
  | { readonly kind: "idle" }
  | { readonly kind: "reading"; readonly rows: number }
  | { readonly kind: "ended"; readonly rows: number; readonly isWhole: boolean }
  | { readonly kind: "failed"; readonly fault: FetchFault };

interface ExportProps {
  /** The parameters of the API. */
  readonly query: () => Readonly<Record<string, string | undefined>>;
}

function ExportDeliveries({ query }: ExportProps) {
  const [state, setState] = useState<ExportState>({ kind: "idle" });
  const isWanted = useRef(false);
  useEffect(() => () => void (isWanted.current = false), []);
  const { exports: texts } = TEXTS.deliveries;
  const start = async (format: Format): Promise<void> => {
    isWanted.current = true;
    const rows: DeliveryJson[] = [];
    const take = (page: readonly DeliveryJson[]): boolean => {
      rows.push(...page);
      setState({ kind: "reading", rows: rows.length });
      return isWanted.current && rows.length < MAX_ROWS;
    };
    const answer = await collect(addressOf("api/deliveries", { ...query(), limit: String(PAGE_ROWS) }), take);
    setState(answer.kind === "ok" ? ended(answer.value, rows, format) : { kind: "failed", fault: answer });
  };
  const ended = (isWhole: boolean, rows: readonly DeliveryJson[], format: Format): ExportState => {
    if (!isWanted.current) return { kind: "idle" };
    const exportRows = rows.slice(0, MAX_ROWS);
    downloadAs(exportRows, format);
    return { kind: "ended", rows: exportRows.length, isWhole: isWhole && exportRows.length === rows.length };
  };
  const isReading = state.kind === "reading";
  return (
    <div class="buttons">
      {(["csv", "json"] as const).map((format) => (
        <button key={format} type="button" disabled={isReading} onClick={() => void start(format)}>
          {texts.as(format.toUpperCase())}
        </button>
      ))}
      {isReading ? (
        <button type="button" onClick={() => (isWanted.current = false)}>
          {TEXTS.cancel}
        </button>
      ) : null}
      <span aria-live="polite" class="faint">
        {state.kind === "reading" ? texts.reading(formatNumber(state.rows)) : null}
        {state.kind === "ended" ? texts.ended(formatNumber(state.rows), state.isWhole) : null}
      </span>
      {state.kind === "failed" ? <FaultNote fault={state.fault} /> : null}
    </div>
  );
}

/** Reads page after page while `take` wants more. Answers whether all were read. */
async function collect(path: string, take: (page: readonly DeliveryJson[]) => boolean): Promise<FetchResult<boolean>> {
  let after: string | null = null;
  for (let pages = 0; pages < MAX_EXPORT_PAGES; pages += 1) {
    const answer: FetchResult<DeliveryPageJson> = await readDeliveries(path, after);
    if (answer.kind !== "ok") return answer;
    const isMoreWanted = take(answer.value.deliveries);
    if (answer.value.next === null) return { kind: "ok", value: true };
    if (!isMoreWanted) return { kind: "ok", value: false };
    after = answer.value.next;
  }
  return { kind: "ok", value: false };
}

function downloadAs(deliveries: readonly DeliveryJson[], format: Format): void {
  if (format === "json") downloadJson(deliveries, "deliveries.json");
  else download(csvOf(deliveries), "deliveries.csv", "text/csv");
}
