// The list of deliveries, newest first: read again each second while it is live, by the filters in the address.

import { useState } from "preact/hooks";
import { formatCount } from "../base/format.js";
import { usePolled } from "../base/polled.js";
import { search } from "../base/search.js";
import { addressOf, Link, place } from "../base/router.js";
import { isOperator } from "../base/session.js";
import { Screen } from "../parts/screen.js";
import { FaultNote } from "../parts/small.js";
import { TEXTS } from "../texts.js";
import { Columns, useColumns } from "./chosen-columns.js";
import { askedBy, FilterForm, type Filters, filtersIn } from "./delivery-filters.js";
import { DeliveryTable } from "./delivery-table.js";
import { ExportDeliveries } from "./export-deliveries.js";
import { ReplayDialog } from "./replay-dialog.js";

const EVERY_MS = 1_000;
const ROWS = "200";

/** A list with a start in the past moves on with the clock, in steps, so that its address stays the same for a while. */
const STEP_MS = 10_000;

export function Deliveries() {
  const { query } = place.value;
  const [isLive, setLive] = useState(true);
  const filters = filtersIn(query);
  const after = query.get("after") ?? undefined;
  const since = Math.floor(Date.now() / STEP_MS) * STEP_MS;
  const path = addressOf("api/deliveries", { ...askedBy(filters, since), after, limit: ROWS });
  const [lookedAt, setLookedAt] = useState(0);
  const everyMs = isLive && after === undefined ? EVERY_MS : 0;
  const { value, fault, again } = usePolled(path, everyMs, (asked) => search(asked, setLookedAt));
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
          {value === undefined ? progressText(lookedAt) : texts.count(formatCount(value.deliveries.length))}
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
      <ExportDeliveries key={query.toString()} query={() => askedBy(filters, Date.now())} />
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

/** Opens the dialog that replays the whole filter, for those who may. */
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
  return lookedAt === 0 ? TEXTS.loading : TEXTS.deliveries.lookedAt(formatCount(lookedAt));
}
