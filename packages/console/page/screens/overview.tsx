// The present and the recent past: four charts, and each destination with its state.

import type { SeriesJson } from "@postrider/http/api";
import { addressOf, go, place } from "../base/router.js";
import { formatNumber, formatLength, formatRate } from "../base/format.js";
import { usePolled } from "../base/polled.js";
import { Chart, type Column } from "../parts/chart.js";
import { Screen } from "../parts/screen.js";
import { FaultNote } from "../parts/small.js";
import { TEXTS } from "../texts.js";
import { LaneList } from "./lanes.js";

const MINUTE_MS = 60_000;

/** The intervals of a range: their length in seconds, and how far back they go. */
const RANGES = {
  "15m": { step: 10, backMs: 15 * MINUTE_MS },
  "6h": { step: 10, backMs: 360 * MINUTE_MS },
  "7d": { step: 300, backMs: 10_080 * MINUTE_MS },
} as const;

type Range = keyof typeof RANGES;

const POLL_MS = 10_000;

export function Overview() {
  const range = rangeIn(place.value.query.get("range"));
  return (
    <Screen title={TEXTS.overview.title}>
      <LaneList />
      <RangeChoice range={range} />
      <Charts range={range} />
    </Screen>
  );
}

function rangeIn(text: string | null): Range {
  return text !== null && text in RANGES ? (text as Range) : "15m";
}

function RangeChoice({ range }: { readonly range: Range }) {
  return (
    <fieldset class="range">
      <legend>{TEXTS.overview.range}</legend>
      {(Object.keys(RANGES) as Range[]).map((option) => (
        <label key={option}>
          <input
            type="radio"
            name="range"
            checked={option === range}
            onChange={() => go(addressOf("", { range: option }), true)}
          />
          {TEXTS.overview.ranges[option]}
        </label>
      ))}
    </fieldset>
  );
}

function Charts({ range }: { readonly range: Range }) {
  const { step, backMs } = RANGES[range];
  const { value, fault, again } = usePolled<SeriesJson>(`api/series?step=${String(step)}`, POLL_MS);
  if (fault !== undefined && value === undefined) return <FaultNote fault={fault} again={again} />;
  if (value === undefined) return <p>{TEXTS.loading}</p>;
  const count = Math.ceil(backMs / 1_000 / value.step);
  return <ChartGrid series={latestOf(value, count)} intervals={count} />;
}

/** The last `count` intervals. */
function latestOf(series: SeriesJson, count: number): SeriesJson {
  const length = series.calls.accepted.length;
  const skip = Math.max(0, length - count);
  const from = new Date(Date.parse(series.from) + skip * series.step * 1_000).toISOString();
  const shorten = <Columns extends object>(columns: Columns): Columns =>
    // Safe cast: the same names, with shorter columns.
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, (column as Column).slice(skip)]),
    ) as Columns;
  return {
    ...series,
    from,
    calls: shorten(series.calls),
    destination: series.destination && shorten(series.destination),
  };
}

interface ChartGridProps {
  readonly series: SeriesJson;
  /** The number of intervals in each chart. */
  readonly intervals: number;
}

function ChartGrid({ series: { from, step, calls, destination }, intervals }: ChartGridProps) {
  const { lines, ...texts } = TEXTS.overview;
  if (destination === null) return <p>{texts.unknown}</p>;
  const perSecond = (column: Column): Column => column.map((count) => (count === null ? null : count / step));
  const rate = (value: number): string => `${formatRate(value)}${texts.perSecond}`;
  const timeline = { from: Date.parse(from) / 1_000, step, intervals };
  return (
    <div class="charts">
      <Chart
        title={texts.calls}
        {...timeline}
        format={rate}
        lines={[
          { label: lines.accepted, values: perSecond(calls.accepted), colour: 1 },
          { label: lines.filtered, values: perSecond(calls.filtered), colour: 2 },
          { label: lines.duplicate, values: perSecond(calls.duplicate), colour: 3 },
          { label: lines.refused, values: perSecond(calls.refused), colour: 4 },
        ]}
      />
      <Chart
        title={texts.delivered}
        {...timeline}
        format={rate}
        lines={[
          { label: lines.delivered, values: perSecond(destination.delivered), colour: 1 },
          { label: lines.retries, values: perSecond(destination.retries), colour: 3 },
          { label: lines.dead, values: perSecond(destination.dead), colour: 4 },
        ]}
      />
      <Chart
        title={texts.latency}
        {...timeline}
        format={(seconds) => formatLength(seconds * 1_000)}
        lines={[
          { label: lines.p50, values: destination.deliveryP50, colour: 1 },
          { label: lines.p99, values: destination.deliveryP99, colour: 2 },
        ]}
      />
      <Chart
        title={texts.waiting}
        {...timeline}
        format={formatNumber}
        lines={[{ label: lines.waiting, values: destination.waiting, colour: 1 }]}
      />
    </div>
  );
}
