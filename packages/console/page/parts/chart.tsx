// A chart of columns over time, drawn by uPlot in the colours of the style, and the latest values as text for screen readers.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";

/** A number for each interval; null where nothing is known. */
export type Column = readonly (number | null)[];

export interface ChartLine {
  readonly label: string;
  readonly values: Column;
  /** The number of a colour in the style, from 1. */
  readonly colour: number;
}

export interface ChartProps {
  readonly title: string;
  /** The time of the first value, in seconds since 1970. */
  readonly from: number;
  /** The seconds from one value to the next. */
  readonly step: number;
  /** The number of intervals, up to the last one; those without a value are left empty. */
  readonly intervals: number;
  readonly lines: readonly ChartLine[];
  readonly format: (value: number) => string;
}

const HEIGHT = 150;
const SYNC = "console";
const dark = matchMedia("(prefers-color-scheme: dark)");

export function Chart({ title, from, step, intervals, lines, format }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const names = lines.map(({ label }) => label).join();
  const data = dataOf(from, step, intervals, lines);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsOf(lines, format, element), data, element);
    };
    draw();
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    dark.addEventListener("change", draw);
    return () => {
      observer.disconnect();
      dark.removeEventListener("change", draw);
      plot.current?.destroy();
    };
  }, [names]);
  useEffect(() => plot.current?.setData(data), [from, step, lines]);
  return (
    <figure class="chart">
      <figcaption>
        <span class="title">{title}</span>
        {lines.map(({ label, values, colour }) => (
          <span key={label} class={`key line-${String(colour)}`}>
            {label} <b>{latest(values, format)}</b>
          </span>
        ))}
      </figcaption>
      <div ref={box} aria-hidden="true" />
    </figure>
  );
}

/** The times and the values, with the missing ones at the beginning. */
function dataOf(from: number, step: number, intervals: number, lines: readonly ChartLine[]): uPlot.AlignedData {
  const missing = Math.max(0, intervals - (lines[0]?.values.length ?? 0));
  const times = Array.from({ length: intervals }, (_, place) => from + (place - missing) * step);
  const empty = Array.from({ length: missing }, () => null);
  return [times, ...lines.map(({ values }) => [...empty, ...values])];
}

function optionsOf(
  lines: readonly ChartLine[],
  format: (value: number) => string,
  element: HTMLElement,
): uPlot.Options {
  const [text, grid] = [colourOf("--faint", element), colourOf("--line", element)];
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { sync: { key: SYNC }, points: { show: false }, drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _low, high) => [0, Math.max(high, Number.MIN_VALUE) * 1.1] } },
    axes: [axis, { ...axis, size: 64, values: (_plot, ticks) => ticks.map(format) }],
    series: [
      {},
      ...lines.map(({ label, colour }) => ({
        label,
        stroke: colourOf(`--chart-${String(colour)}`, element),
        width: 2,
        points: { show: true, size: 4, filter: loneValues },
        spanGaps: false,
      })),
    ],
  };
}

/** The places of values without a neighbour, which no line shows. */
function loneValues(plot: uPlot, line: number): number[] {
  const values = plot.data[line] ?? [];
  const isKnown = (place: number): boolean => (values[place] ?? null) !== null;
  return [...values.keys()].filter((place) => isKnown(place) && !isKnown(place - 1) && !isKnown(place + 1));
}

/** A colour of the style as it is now, light or dark. */
function colourOf(name: string, element: HTMLElement): string {
  element.style.color = `var(${name})`;
  const { color } = getComputedStyle(element);
  element.style.color = "";
  return color;
}

/** The last value that is known. */
function latest(values: Column, format: (value: number) => string): string {
  const value = values.findLast((candidate) => candidate !== null);
  return value === undefined ? "–" : format(value);
}
