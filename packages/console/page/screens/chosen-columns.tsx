// Which columns a person wants to see: kept in this browser, since it is a matter of taste and screen, and not of the list.

import { useState } from "preact/hooks";
import { Checks } from "../parts/checks.js";
import { TEXTS } from "../texts.js";
import { DELIVERY_COLUMNS, type DeliveryColumn } from "./delivery-table.js";

const KEY = "postrider-delivery-columns";
const USUAL: readonly DeliveryColumn[] = ["state", "destination", "source", "type", "attempts", "detail", "messageId"];

/** The chosen columns, and the way to choose others. */
export function useColumns() {
  const [columns, setColumns] = useState(keptColumns);
  const choose = (chosen: readonly DeliveryColumn[]): void => {
    setColumns(chosen);
    keep(chosen);
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
function keptColumns(): readonly DeliveryColumn[] {
  try {
    const kept = localStorage.getItem(KEY)?.split(",");
    return kept === undefined ? USUAL : DELIVERY_COLUMNS.filter((column) => kept.includes(column));
  } catch {
    return USUAL;
  }
}

function keep(columns: readonly DeliveryColumn[]): void {
  try {
    localStorage.setItem(KEY, columns.join());
  } catch {
    // They are chosen until the page is closed.
  }
}
