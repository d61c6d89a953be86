// The latest calls: the result of each, and the reason for which one went nowhere.

import type { CallJson } from "@postrider/http/api";
import { formatNumber } from "../base/format.js";
import { usePolled } from "../base/polled.js";
import { addressOf, go, Link, place } from "../base/router.js";
import { isOperator } from "../base/session.js";
import { DataTable } from "../parts/data-table.js";
import { Screen } from "../parts/screen.js";
import { Chip, Choice, FaultNote, InstantText, type Tone } from "../parts/small.js";
import { TEXTS } from "../texts.js";

const POLL_MS = 1_000;
const ROWS = "200";

const TONES: Readonly<Record<CallJson["outcome"], Tone>> = {
  accepted: "good",
  filtered: "off",
  duplicate: "off",
  suppressed: "off",
  refused: "bad",
  shed: "bad",
  "unknown-key": "bad",
};

export function Calls() {
  const outcome = place.value.query.get("outcome") ?? "";
  const path = addressOf("api/calls", { outcome, limit: ROWS });
  const { value, fault, again } = usePolled<{ readonly calls: readonly CallJson[] }>(path, POLL_MS);
  const isUnknown = fault?.status === 404;
  const { calls: texts } = TEXTS;
  return (
    <Screen title={texts.title}>
      <p>{isUnknown ? texts.unknown : texts.hint}</p>
      <section class="filters" aria-label={TEXTS.deliveries.filters}>
        <Choice
          label={texts.outcome}
          value={outcome}
          options={Object.entries(texts.outcomes)}
          onChoose={(chosen) => go(addressOf("calls", { outcome: chosen }))}
        />
      </section>
      {fault === undefined || isUnknown ? null : <FaultNote fault={fault} again={again} />}
      {value === undefined ? null : <CallTable calls={value.calls} />}
    </Screen>
  );
}

function CallTable({ calls }: { readonly calls: readonly CallJson[] }) {
  const { columns, caption, empty } = TEXTS.calls;
  if (calls.length === 0) {
    return (
      <p>
        {empty} {isOperator.value ? <Link to="set-up">{TEXTS.setUp.title}</Link> : null}
      </p>
    );
  }
  return (
    <DataTable
      caption={caption}
      columns={[columns.at, columns.outcome, columns.source, columns.messageId, columns.what]}
    >
      {calls.map((call) => (
        <CallRow key={call.number} call={call} />
      ))}
    </DataTable>
  );
}

function CallRow({ call }: { readonly call: CallJson }) {
  const { at, outcome, source, messageId } = call;
  return (
    <tr>
      <th scope="row">
        <InstantText at={at} />
      </th>
      <td>
        <Chip tone={TONES[outcome]}>{TEXTS.calls.outcomes[outcome] ?? outcome}</Chip>
      </td>
      <td>{source ?? TEXTS.none}</td>
      <td class="id">{messageId ?? TEXTS.none}</td>
      <td>
        <Outcome call={call} />
      </td>
    </tr>
  );
}

function Outcome({ call: { refusal, filtered, messageId, deliveries, calls } }: { readonly call: CallJson }) {
  const { refusedAt, notTo, reasons, many } = TEXTS.calls;
  return (
    <>
      {refusal === null ? null : refusedAt(refusal.code, refusal.path)}
      {calls > 1 ? many(formatNumber(calls)) : null}
      {deliveries.length === 0 || messageId === null ? null : (
        <Link to={addressOf("deliveries", { messageId })}>{TEXTS.calls.to(deliveries.length)}</Link>
      )}
      {filtered.map(({ destination, reason }) => (
        <span key={destination ?? ""} class="faint">
          {" "}
          {destination === null ? (reasons[reason] ?? reason) : notTo(destination, reasons[reason] ?? reason)}
        </span>
      ))}
    </>
  );
}
