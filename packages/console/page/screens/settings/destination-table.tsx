// The destinations in the settings, with the ways to change and to remove one.

import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { DataTable } from "../../parts/data-table.js";
import { Chip } from "../../parts/small.js";
import { type Document, idOfConnection, withoutEntry } from "../../settings/document.js";
import { TEXTS } from "../../texts.js";
import { editDestination } from "../set-up/set-up.js";
import type { Put } from "./put.js";

interface DestinationTableProps {
  readonly document: Document;
  /** Whether the form of a destination leads anywhere. */
  readonly mayEdit: boolean;
  /** Undefined if nothing may be changed here. */
  readonly onPut: Put | undefined;
}

export function DestinationTable({ document, mayEdit, onPut }: DestinationTableProps) {
  const { settings: texts, lanes } = TEXTS;
  const [removing, setRemoving] = useState<string>();
  const destinations = document.destinations ?? [];
  if (destinations.length === 0) return null;
  const { destination, mode, actions } = lanes.columns;
  const columns = [destination, texts.sources, TEXTS.setUp.steps.endpoints, mode, actions];
  return (
    <>
      <h2>{texts.destinations}</h2>
      <DataTable caption={texts.destinationsCaption} columns={columns}>
        {destinations.map(({ id, sources, endpoints, enabled = true }) => (
          <tr key={id}>
            <th scope="row">{id}</th>
            <td>{sources.map(idOfConnection).join(", ") || <span class="problem">{texts.noSource}</span>}</td>
            <td>{texts.endpoints(endpoints.length)}</td>
            <td>
              <Chip tone={enabled ? "good" : "off"}>{enabled ? texts.on : texts.off}</Chip>
            </td>
            <td>
              {mayEdit ? (
                <button type="button" aria-label={texts.editOf(id)} onClick={() => editDestination(id)}>
                  {texts.edit}
                </button>
              ) : null}
              {onPut === undefined ? null : (
                <button type="button" aria-label={texts.removeOf(id)} onClick={() => setRemoving(id)}>
                  {texts.remove}
                </button>
              )}
            </td>
          </tr>
        ))}
      </DataTable>
      {removing === undefined ? null : (
        <ConfirmDialog
          title={texts.removeOf(removing)}
          action={texts.remove}
          onConfirm={() => void onPut?.(withoutEntry(document, "destinations", removing))}
          onClose={() => setRemoving(undefined)}
        >
          <p>{texts.removeSure(removing)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
