// The settings in force: who owns them, what they have, who has changed them, and the way back.

import { useState } from "preact/hooks";
import { type Asked, change, type Fault, read } from "../base/ask.js";
import { usePolled } from "../base/polled.js";
import { go } from "../base/router.js";
import { isOperator } from "../base/session.js";
import { Dialog } from "../parts/dialog.js";
import { Differences } from "../parts/differences.js";
import { Screen } from "../parts/screen.js";
import { Chip, FaultNote, Instant, TableBox } from "../parts/small.js";
import { type Difference, differencesBetween } from "../settings/differences.js";
import { type Document, idOfConnection, type Settings, withoutEntry } from "../settings/document.js";
import { download } from "../settings/download.js";
import { TEXTS } from "../texts.js";
import { editDestination } from "./set-up.js";

const EVERY_MS = 2_000;

export function SettingsScreen() {
  const { value: settings, fault, again } = usePolled<Settings>("api/settings", EVERY_MS);
  const [failed, setFailed] = useState<Fault>();
  const isUnknown = fault?.kind === "refused" && fault.status === 404;
  const put = async (document: Document): Promise<void> => {
    const headers = { "If-Match": `"${String(settings?.revision ?? 0)}"` };
    const asked = await change("PUT", "api/settings", document, headers);
    setFailed(asked.kind === "ok" ? undefined : asked);
    again();
  };
  return (
    <Screen title={TEXTS.settings.title}>
      {isUnknown ? <p>{TEXTS.setUp.noSettings}</p> : null}
      {fault === undefined || isUnknown ? null : <FaultNote fault={fault} again={again} />}
      {failed === undefined ? null : <FaultNote fault={failed} />}
      {settings === undefined ? null : <SettingsInForce settings={settings} onPut={(document) => void put(document)} />}
    </Screen>
  );
}

interface SettingsProps {
  readonly settings: Settings;
  readonly onPut: (document: Document) => void;
}

function SettingsInForce({ settings, onPut }: SettingsProps) {
  const { settings: texts } = TEXTS;
  const { owner, revision, actor, changedAt, document } = settings;
  const { value: mayEdit } = isOperator;
  const mayChange = owner === "store" && mayEdit;
  return (
    <>
      <p>
        {texts.owner[owner]}{" "}
        {revision === null || revision === 0 ? null : (
          <>
            {texts.revision(String(revision))} {actor === null ? null : texts.by(actor)}{" "}
            {changedAt === null ? null : <Instant at={changedAt} />}
          </>
        )}
      </p>
      <div class="buttons">
        {mayEdit ? (
          <button type="button" class="main" onClick={() => go("set-up")}>
            {texts.add}
          </button>
        ) : null}
        <button type="button" onClick={() => download(document, "settings.json")}>
          {texts.download}
        </button>
      </div>
      <h2>{texts.sources}</h2>
      <p>{(document.sources ?? []).map(({ id }) => id).join(", ") || texts.none}</p>
      <DestinationTable document={document} isOperator={mayEdit} onPut={mayChange ? onPut : undefined} />
      <details>
        <summary>{texts.document}</summary>
        <pre tabIndex={0}>{JSON.stringify(document, null, 2)}</pre>
      </details>
      {owner === "store" ? <History latest={settings} onPut={mayChange ? onPut : undefined} /> : null}
    </>
  );
}

interface DestinationTableProps {
  readonly document: Document;
  readonly isOperator: boolean;
  readonly onPut: SettingsProps["onPut"] | undefined;
}

function DestinationTable({ document, isOperator, onPut }: DestinationTableProps) {
  const { settings: texts, lanes } = TEXTS;
  const [removing, setRemoving] = useState<string>();
  const destinations = document.destinations ?? [];
  if (destinations.length === 0) return null;
  return (
    <>
      <h2>{texts.destinations}</h2>
      <TableBox label={texts.destinations}>
        <table>
          <thead>
            <tr>
              <th scope="col">{lanes.columns.destination}</th>
              <th scope="col">{texts.sources}</th>
              <th scope="col">{TEXTS.setUp.steps.endpoints}</th>
              <th scope="col">{lanes.columns.mode}</th>
              <th scope="col">{lanes.columns.actions}</th>
            </tr>
          </thead>
          <tbody>
            {destinations.map(({ id, sources, endpoints, enabled = true }) => (
              <tr key={id}>
                <th scope="row">{id}</th>
                <td>{sources.map(idOfConnection).join(", ")}</td>
                <td>{texts.endpoints(endpoints.length)}</td>
                <td>
                  <Chip tone={enabled ? "good" : "off"}>{enabled ? texts.on : texts.off}</Chip>
                </td>
                <td>
                  {isOperator ? (
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
          </tbody>
        </table>
      </TableBox>
      {removing === undefined ? null : (
        <Dialog title={texts.removeOf(removing)} onClose={() => setRemoving(undefined)}>
          <p>{texts.removeSure(removing)}</p>
          <div class="buttons">
            <button
              type="button"
              class="danger"
              onClick={() => {
                setRemoving(undefined);
                onPut?.(withoutEntry(document, "destinations", removing));
              }}
            >
              {texts.remove}
            </button>
            <button type="button" onClick={() => setRemoving(undefined)}>
              {TEXTS.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

interface Change {
  readonly revision: number;
  readonly actor: string | null;
  readonly changedAt: string;
}

interface HistoryProps {
  readonly latest: Settings;
  readonly onPut: SettingsProps["onPut"] | undefined;
}

function History({ latest, onPut }: HistoryProps) {
  const { settings: texts } = TEXTS;
  const { value } = usePolled<{ readonly revisions: readonly Change[] }>("api/settings/history", EVERY_MS);
  const [shown, setShown] = useState<Shown>();
  const show = async (revision: number): Promise<void> =>
    setShown({ title: texts.show(String(revision)), asked: await changeOf(revision) });
  const askToRestore = async (revision: number): Promise<void> => {
    const [title, old] = [texts.restore(String(revision)), await documentAt(revision)];
    if (old.kind !== "ok") setShown({ title, asked: old });
    else setShown({ title, asked: differencesFrom(latest.document, old.value), restored: old.value });
  };
  if (value === undefined || value.revisions.length === 0) return null;
  return (
    <>
      <h2>{texts.history}</h2>
      <TableBox label={texts.historyCaption}>
        <table>
          <caption>{texts.historyCaption}</caption>
          <thead>
            <tr>
              <th scope="col" class="number">
                {texts.columns.revision}
              </th>
              <th scope="col">{texts.columns.by}</th>
              <th scope="col">{texts.columns.at}</th>
              <th scope="col">{texts.columns.actions}</th>
            </tr>
          </thead>
          <tbody>
            {value.revisions.map(({ revision, actor, changedAt }) => (
              <tr key={revision}>
                <th scope="row" class="number">
                  {revision}
                </th>
                <td>{actor ?? TEXTS.none}</td>
                <td>
                  <Instant at={changedAt} />
                </td>
                <td>
                  <button type="button" onClick={() => void show(revision)}>
                    {texts.show(String(revision))}
                  </button>
                  {onPut === undefined || revision === latest.revision ? null : (
                    <button type="button" onClick={() => void askToRestore(revision)}>
                      {texts.restore(String(revision))}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {shown === undefined ? null : (
        <Dialog title={shown.title} onClose={() => setShown(undefined)}>
          {shown.asked.kind === "ok" ? (
            <Differences differences={shown.asked.value} />
          ) : (
            <FaultNote fault={shown.asked} />
          )}
          <div class="buttons">
            {shown.restored === undefined ? null : (
              <button
                type="button"
                class="main"
                onClick={() => {
                  if (shown.restored !== undefined) onPut?.(shown.restored);
                  setShown(undefined);
                }}
              >
                {shown.title}
              </button>
            )}
            <button type="button" onClick={() => setShown(undefined)}>
              {TEXTS.close}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** What is shown in the dialog: differences, and the document that a person may go back to. */
interface Shown {
  readonly title: string;
  readonly asked: Asked<readonly Difference[]>;
  readonly restored?: Document;
}

function differencesFrom(before: Document, after: Document): Asked<readonly Difference[]> {
  return { kind: "ok", value: differencesBetween(before, after) };
}

/** What a revision changed of the one before; of nothing, if that is not kept. */
async function changeOf(revision: number): Promise<Asked<readonly Difference[]>> {
  const [before, after] = await Promise.all([documentAt(revision - 1), documentAt(revision)]);
  if (after.kind !== "ok") return after;
  return differencesFrom(before.kind === "ok" ? before.value : {}, after.value);
}

async function documentAt(revision: number): Promise<Asked<Document>> {
  if (revision === 0) return { kind: "ok", value: {} };
  const asked = await read<Settings>(`api/settings?revision=${String(revision)}`);
  return asked.kind === "ok" ? { kind: "ok", value: asked.value.document } : asked;
}
