// The list of deliveries as a table of the columns that a person has chosen, with keys that move between its rows. The
// choice is kept in this browser, since it is a matter of taste and screen, and not of the list.

import type { DeliveryJson } from "@postrider/http/api";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Link } from "../base/router.js";
import { DataTable } from "../parts/data-table.js";
import { Chip, InstantText, type Tone } from "../parts/small.js";
import { TEXTS } from "../texts.js";
import { Checks } from "../parts/field.js";

export const STATE_TONES: Readonly<Record<DeliveryJson["state"], Tone>> = {
  waiting: "busy",
  claimed: "busy",
  delivered: "good",
  dead: "bad",
};

/** Each column but that of the time, which has the link. */
const CELLS = {
  state: ({ state, reason }) => (
    <>
      <Chip tone={STATE_TONES[state]}>{TEXTS.states[state]}</Chip>{" "}
      {reason === null ? null : <span class="faint">{TEXTS.reasons[reason] ?? reason}</span>}
    </>
  ),
  destination: ({ destination }) => destination,
  source: ({ source }) => source,
  type: ({ type }) => type,
  attempts: ({ attemptCount }) => attemptCount,
  detail: ({ detail }) => detail ?? TEXTS.none,
  messageId: ({ messageId }) => messageId,
  id: ({ id }) => id,
  dueAt: ({ dueAt }) => (dueAt === null ? TEXTS.none : <InstantText at={dueAt} />),
  replayOf: ({ replayOf }) => (replayOf === null ? TEXTS.none : <Link to={`deliveries/${replayOf}`}>{replayOf}</Link>),
} satisfies Record<string, (delivery: DeliveryJson) => ComponentChildren>;

type DeliveryColumn = keyof typeof CELLS;

// Safe cast: the keys of a literal.
const DELIVERY_COLUMNS = Object.keys(CELLS) as readonly DeliveryColumn[];

const CLASSES: Readonly<Partial<Record<DeliveryColumn, string>>> = {
  attempts: "number",
  messageId: "id",
  id: "id",
  replayOf: "id",
};

const STORAGE_KEY = "postrider-delivery-columns";

const DEFAULT_COLUMNS: readonly DeliveryColumn[] = [
  "state",
  "destination",
  "source",
  "type",
  "attempts",
  "detail",
  "messageId",
];

interface DeliveryTableProps {
  readonly deliveries: readonly DeliveryJson[];
  readonly columns: readonly DeliveryColumn[];
}

export function DeliveryTable({ deliveries, columns }: DeliveryTableProps) {
  const { columns: names, caption, empty } = TEXTS.deliveries;
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  if (deliveries.length === 0) return <p>{empty}</p>;
  const headings = [names.acceptedAt, ...columns.map((column) => names[column])];
  return (
    <DataTable caption={caption} columns={headings} numbers={[names.attempts]} body={body}>
      {deliveries.map((delivery) => (
        <tr key={delivery.id}>
          <th scope="row">
            <Link to={`deliveries/${delivery.id}`}>
              <InstantText at={delivery.acceptedAt} />
            </Link>
          </th>
          {columns.map((column) => (
            <td key={column} class={CLASSES[column]}>
              {CELLS[column](delivery)}
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}

/** j and k move between the rows, as in many lists; Enter follows the link of a row, as the browser does by itself. */
function useRowKeys(body: { readonly current: HTMLTableSectionElement | null }): void {
  useEffect(() => {
    const onKey = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
      const isTyping = target instanceof Element && target.matches("input, select, textarea, dialog *");
      if (isTyping || ctrlKey || metaKey || altKey || (key !== "j" && key !== "k")) return;
      const links = [...(body.current?.querySelectorAll<HTMLAnchorElement>("th a") ?? [])];
      const focusedRow = links.findIndex((link) => link === document.activeElement);
      const wantedRow = key === "j" ? focusedRow + 1 : Math.max(0, focusedRow - 1);
      links[Math.min(wantedRow, links.length - 1)]?.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** The chosen columns, and the way to choose others. */
export function useColumns() {
  const [columns, setColumns] = useState(storedColumns);
  const choose = (chosen: readonly DeliveryColumn[]): void => {
    setColumns(chosen);
    storeColumns(chosen);
  };
  return [columns, choose] as const;
}

interface ColumnsProps {
  readonly columns: readonly DeliveryColumn[];
  readonly onChoose: (columns: readonly DeliveryColumn[]) => void;
}

export function Columns({ columns, onChoose }: ColumnsProps) {
  const { columnsShown, columns: names } = TEXTS.deliveries;
  return (
    <details class="columns">
      <summary>{columnsShown}</summary>
      <Checks
        legend={columnsShown}
        options={DELIVERY_COLUMNS}
        textOf={(column) => names[column]}
        chosen={columns}
        onChoose={onChoose}
      />
    </details>
  );
}

/** Storage may be forbidden, and may hold columns that this version does not have. */
function storedColumns(): readonly DeliveryColumn[] {
  try {
    const savedColumns = localStorage.getItem(STORAGE_KEY)?.split(",");
    return savedColumns === undefined
      ? DEFAULT_COLUMNS
      : DELIVERY_COLUMNS.filter((column) => savedColumns.includes(column));
  } catch {
    return DEFAULT_COLUMNS;
  }
}

function storeColumns(columns: readonly DeliveryColumn[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, columns.join());
  } catch {
    // They are chosen until the page is closed.
  }
}
