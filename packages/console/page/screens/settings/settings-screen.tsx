// The settings in force: their owner, the authors of their changes, the way back, and the destinations in them, with the ways to change and
// to remove one.

import { useState } from "preact/hooks";
import type { FetchFault } from "../../base/ask.js";
import { usePolled } from "../../base/polled.js";
import { go } from "../../base/router.js";
import { isOperator } from "../../base/session.js";
import { Screen } from "../../parts/screen.js";
import { FaultNote, InstantText, Chip } from "../../parts/small.js";
import {
  type Document,
  type Settings,
  putSettings,
  type Put,
  idOfConnection,
  withoutEntry,
} from "../../settings/document.js";
import { downloadJson } from "../../base/download.js";
import { TEXTS } from "../../texts.js";
import { SettingsHistory } from "./history.js";
import { SourceTable } from "./source-table.js";
import { ConfirmDialog } from "../../parts/dialog.js";
import { DataTable } from "../../parts/data-table.js";
import { editDestination } from "../set-up/set-up.js";

const POLL_MS = 2_000;

export function SettingsScreen() {
  const { value: settings, fault, again } = usePolled<Settings>("api/settings", POLL_MS);
  const [putFault, setPutFault] = useState<FetchFault>();
  const isUnknown = fault?.status === 404;
  /** Puts a document, over the revision that was seen if no other is named. Resolves with whether it was put. */
  const putDocument = async (document: Document, over = settings?.revision ?? null): Promise<boolean> => {
    const answer = await putSettings(document, over);
    setPutFault(answer.kind === "ok" ? undefined : answer);
    again();
    return answer.kind === "ok";
  };
  return (
    <Screen title={TEXTS.settings.title}>
      {isUnknown ? <p>{TEXTS.setUp.noSettings}</p> : null}
      {fault === undefined || isUnknown ? null : <FaultNote fault={fault} again={again} />}
      {putFault === undefined ? null : <FaultNote fault={putFault} />}
      {settings === undefined ? null : <SettingsInForce settings={settings} onPut={putDocument} />}
    </Screen>
  );
}

interface SettingsProps {
  readonly settings: Settings;
  readonly onPut: Put;
}

function SettingsInForce({ settings, onPut }: SettingsProps) {
  const { settings: texts } = TEXTS;
  const { owner, locked, document } = settings;
  const { value: mayEdit } = isOperator;
  const isFree = (...keys: readonly string[]): boolean => mayEdit && !keys.some((key) => locked.includes(key));
  const putOf = (...keys: readonly string[]) => (owner === "store" && isFree(...keys) ? onPut : undefined);
  return (
    <>
      <Revision settings={settings} />
      {locked.length === 0 ? null : <p class="note">{texts.locked(locked.join(", "))}</p>}
      <div class="buttons">
        {isFree("destinations") ? (
          <button type="button" class="main" onClick={() => go("set-up")}>
            {texts.add}
          </button>
        ) : null}
        <button type="button" onClick={() => downloadJson(document, "settings.json")}>
          {texts.download}
        </button>
      </div>
      <SourceTable document={document} onPut={putOf("sources")} />
      <DestinationTable document={document} mayEdit={isFree("destinations")} onPut={putOf("destinations")} />
      <details>
        <summary>{texts.document}</summary>
        <pre tabIndex={0}>{JSON.stringify(document, null, 2)}</pre>
      </details>
      {owner === "store" ? <SettingsHistory latest={settings} onPut={putOf(...locked)} /> : null}
    </>
  );
}

/** The owner of the settings, and the author of the latest revision. */
function Revision({ settings: { owner, revision, actor, changedAt } }: { readonly settings: Settings }) {
  const { settings: texts } = TEXTS;
  return (
    <p>
      {texts.owner[owner]}{" "}
      {revision === null || revision === 0 ? null : (
        <>
          {texts.revision(String(revision))} {actor === null ? null : texts.by(actor)}{" "}
          {changedAt === null ? null : <InstantText at={changedAt} />}
        </>
      )}
    </p>
  );
}

interface DestinationTableProps {
  readonly document: Document;
  /** True if the form of a destination can be opened. */
  readonly mayEdit: boolean;
  /** Undefined if nothing may be changed here. */
  readonly onPut: Put | undefined;
}

function DestinationTable({ document, mayEdit, onPut }: DestinationTableProps) {
  const { settings: texts, lanes } = TEXTS;
  const [idToRemove, setIdToRemove] = useState<string>();
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
                <button type="button" aria-label={texts.removeOf(id)} onClick={() => setIdToRemove(id)}>
                  {texts.remove}
                </button>
              )}
            </td>
          </tr>
        ))}
      </DataTable>
      {idToRemove === undefined ? null : (
        <ConfirmDialog
          title={texts.removeOf(idToRemove)}
          action={texts.remove}
          onConfirm={() => void onPut?.(withoutEntry(document, "destinations", idToRemove))}
          onClose={() => setIdToRemove(undefined)}
        >
          <p>{texts.removeSure(idToRemove)}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
