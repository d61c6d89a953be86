// The list of deliveries, newest first: read again each second while it is live, by the filters in the address.

import { useEffect, useRef, useState } from "preact/hooks";
import { formatCount } from "../base/format.js";
import { usePolled } from "../base/polled.js";
import { search } from "../base/search.js";
import { addressOf, Link, place } from "../base/router.js";
import { isOperator } from "../base/session.js";
import type { Deliveries as Page, Delivery, DeliveryState } from "../base/shapes.js";
import { DataTable } from "../parts/data-table.js";
import { Screen } from "../parts/screen.js";
import { Chip, FaultNote, Instant, type Tone } from "../parts/small.js";
import { TEXTS } from "../texts.js";
import { askedBy, FilterForm, filtersIn } from "./delivery-filters.js";
import { ReplayDialog } from "./replay-dialog.js";

const EVERY_MS = 1_000;
const ROWS = "200";

/** A list with a start in the past moves on with the clock, in steps, so that its address stays the same for a while. */
const STEP_MS = 10_000;

export const STATE_TONES: Readonly<Record<DeliveryState, Tone>> = {
  waiting: "busy",
  claimed: "busy",
  delivered: "good",
  dead: "bad",
};

export function Deliveries() {
  const { query } = place.value;
  const [isLive, setLive] = useState(true);
  const [isReplaying, setReplaying] = useState(false);
  const filters = filtersIn(query);
  const after = query.get("after") ?? undefined;
  const since = Math.floor(Date.now() / STEP_MS) * STEP_MS;
  const path = addressOf("api/deliveries", { ...askedBy(filters, since), after, limit: ROWS });
  const [lookedAt, setLookedAt] = useState(0);
  const everyMs = isLive && after === undefined ? EVERY_MS : 0;
  const { value, fault, again } = usePolled<Page>(path, everyMs, (asked) => search(asked, setLookedAt));
  const { deliveries: texts } = TEXTS;
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
        {isOperator.value ? (
          <button type="button" onClick={() => setReplaying(true)}>
            {texts.replay}
          </button>
        ) : null}
      </div>
      {fault === undefined ? null : <FaultNote fault={fault} again={again} />}
      {value === undefined ? null : <DeliveryTable deliveries={value.deliveries} />}
      <nav class="pages" aria-label={texts.caption}>
        {after === undefined ? null : <Link to={addressOf("deliveries", filters)}>{texts.newest}</Link>}
        {value === undefined || value.next === null ? null : (
          <Link to={addressOf("deliveries", { ...filters, after: value.next })}>{texts.older}</Link>
        )}
      </nav>
      {isReplaying ? <ReplayDialog filters={filters} onClose={() => setReplaying(false)} /> : null}
    </Screen>
  );
}

function progressText(lookedAt: number): string {
  return lookedAt === 0 ? TEXTS.loading : TEXTS.deliveries.lookedAt(formatCount(lookedAt));
}

function DeliveryTable({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const { columns, caption, empty } = TEXTS.deliveries;
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  if (deliveries.length === 0) return <p>{empty}</p>;
  const { acceptedAt, state, destination, source, type, attempts, detail, messageId } = columns;
  const shown = [acceptedAt, state, destination, source, type, attempts, detail, messageId];
  return (
    <DataTable caption={caption} columns={shown} numbers={[attempts]} body={body}>
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} />
      ))}
    </DataTable>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { id, state, reason, detail, source, destination, type, messageId, acceptedAt, attemptCount } = delivery;
  return (
    <tr>
      <th scope="row">
        <Link to={`deliveries/${id}`}>
          <Instant at={acceptedAt} />
        </Link>
      </th>
      <td>
        <Chip tone={STATE_TONES[state]}>{TEXTS.states[state]}</Chip>{" "}
        {reason === null ? null : <span class="faint">{TEXTS.reasons[reason] ?? reason}</span>}
      </td>
      <td>{destination}</td>
      <td>{source}</td>
      <td>{type}</td>
      <td class="number">{attemptCount}</td>
      <td>{detail ?? TEXTS.none}</td>
      <td class="id">{messageId}</td>
    </tr>
  );
}

/** j and k move between the rows, as in many lists; Enter follows the link of a row as ever. */
function useRowKeys(body: { readonly current: HTMLTableSectionElement | null }): void {
  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
      const isTyping = target instanceof Element && target.matches("input, select, textarea, dialog *");
      if (isTyping || ctrlKey || metaKey || altKey || (key !== "j" && key !== "k")) return;
      const links = [...(body.current?.querySelectorAll("a") ?? [])];
      const at = links.indexOf(document.activeElement as HTMLAnchorElement);
      const next = key === "j" ? at + 1 : Math.max(0, at - 1);
      links[Math.min(next, links.length - 1)]?.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
