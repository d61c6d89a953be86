// A table with a caption and the heads of its columns, in a box that scrolls by itself.

import type { ComponentChildren, Ref } from "preact";
import { TableBox } from "./small.js";

interface DataTableProps {
  readonly caption: string;
  readonly columns: readonly string[];
  /** The columns of numbers, which stand at the right. */
  readonly numbers?: readonly string[];
  readonly body?: Ref<HTMLTableSectionElement>;
  /** The rows. */
  readonly children: ComponentChildren;
}

export function DataTable({ caption, columns, numbers = [], body = null, children }: DataTableProps) {
  return (
    <TableBox label={caption}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={numbers.includes(column) ? "number" : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>{children}</tbody>
      </table>
    </TableBox>
  );
}
