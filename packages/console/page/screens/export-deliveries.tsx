// Gives a person the deliveries of a filter as a file: page by page, up to a limit, without their messages.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Asked, Fault } from "../base/ask.js";
import { csvOf } from "../base/csv.js";
import { download, downloadJson } from "../base/download.js";
import { formatCount } from "../base/format.js";
import { readDeliveries } from "../base/search.js";
import { addressOf } from "../base/router.js";
import type { Deliveries, Delivery } from "../base/shapes.js";
import { FaultNote } from "../parts/small.js";
import { TEXTS } from "../texts.js";

/** The most that the API answers at once. */
const PAGE_ROWS = 500;
/** The most rows of a file. */
const MAX_ROWS = 100_000;
/** The most requests of one file; a page may have few rows, since the server looks at a part of a large store at a time. */
const MAX_PAGES = 5_000;

type Format = "csv" | "json";

type State =
  | { readonly kind: "idle" }
  | { readonly kind: "reading"; readonly rows: number }
  | { readonly kind: "ended"; readonly rows: number; readonly isWhole: boolean }
  | { readonly kind: "failed"; readonly fault: Fault };

interface ExportProps {
  /** The parameters of the API. */
  readonly query: () => Readonly<Record<string, string | undefined>>;
}

export function ExportDeliveries({ query }: ExportProps) {
  const [state, setState] = useState<State>({ kind: "idle" });
  const isWanted = useRef(false);
  useEffect(() => () => void (isWanted.current = false), []);
  const { exports: texts } = TEXTS.deliveries;
  const start = async (format: Format): Promise<void> => {
    isWanted.current = true;
    const rows: Delivery[] = [];
    const take = (page: readonly Delivery[]): boolean => {
      rows.push(...page);
      setState({ kind: "reading", rows: rows.length });
      return isWanted.current && rows.length < MAX_ROWS;
    };
    const asked = await collect(addressOf("api/deliveries", { ...query(), limit: String(PAGE_ROWS) }), take);
    setState(asked.kind === "ok" ? ended(asked.value, rows, format) : { kind: "failed", fault: asked });
  };
  const ended = (isWhole: boolean, rows: readonly Delivery[], format: Format): State => {
    if (!isWanted.current) return { kind: "idle" };
    const given = rows.slice(0, MAX_ROWS);
    give(given, format);
    return { kind: "ended", rows: given.length, isWhole: isWhole && given.length === rows.length };
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
        {state.kind === "reading" ? texts.reading(formatCount(state.rows)) : null}
        {state.kind === "ended" ? texts.ended(formatCount(state.rows), state.isWhole) : null}
      </span>
      {state.kind === "failed" ? <FaultNote fault={state.fault} /> : null}
    </div>
  );
}

/** Reads page after page while `take` wants more. Answers whether all were read. */
async function collect(path: string, take: (page: readonly Delivery[]) => boolean): Promise<Asked<boolean>> {
  let after: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const asked: Asked<Deliveries> = await readDeliveries(path, after);
    if (asked.kind !== "ok") return asked;
    const isMoreWanted = take(asked.value.deliveries);
    if (asked.value.next === null) return { kind: "ok", value: true };
    if (!isMoreWanted) return { kind: "ok", value: false };
    after = asked.value.next;
  }
  return { kind: "ok", value: false };
}

function give(deliveries: readonly Delivery[], format: Format): void {
  if (format === "json") downloadJson(deliveries, "deliveries.json");
  else download(csvOf(deliveries), "deliveries.csv", "text/csv");
}
