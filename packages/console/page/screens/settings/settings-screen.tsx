// The settings in force: who owns them, what they have, who has changed them, and the way back.

import { useState } from "preact/hooks";
import type { Fault } from "../../base/ask.js";
import { usePolled } from "../../base/polled.js";
import { go } from "../../base/router.js";
import { isOperator } from "../../base/session.js";
import { Screen } from "../../parts/screen.js";
import { FaultNote, Instant } from "../../parts/small.js";
import type { Document, Settings } from "../../settings/document.js";
import { downloadJson } from "../../base/download.js";
import { putSettings } from "../../settings/put-settings.js";
import { TEXTS } from "../../texts.js";
import { DestinationTable } from "./destination-table.js";
import { History } from "./history.js";
import type { Put } from "./put.js";
import { SourceTable } from "./source-table.js";

const EVERY_MS = 2_000;

export function SettingsScreen() {
  const { value: settings, fault, again } = usePolled<Settings>("api/settings", EVERY_MS);
  const [failed, setFailed] = useState<Fault>();
  const isUnknown = fault?.kind === "refused" && fault.status === 404;
  /** Over the revision that was seen. Answers whether it was put. */
  const put = async (document: Document, over = settings?.revision ?? null): Promise<boolean> => {
    const asked = await putSettings(document, over);
    setFailed(asked.kind === "ok" ? undefined : asked);
    again();
    return asked.kind === "ok";
  };
  return (
    <Screen title={TEXTS.settings.title}>
      {isUnknown ? <p>{TEXTS.setUp.noSettings}</p> : null}
      {fault === undefined || isUnknown ? null : <FaultNote fault={fault} again={again} />}
      {failed === undefined ? null : <FaultNote fault={failed} />}
      {settings === undefined ? null : <SettingsInForce settings={settings} onPut={put} />}
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
      {owner === "store" ? <History latest={settings} onPut={putOf(...locked)} /> : null}
    </>
  );
}

/** Who owns the settings, and who has made them what they are. */
function Revision({ settings: { owner, revision, actor, changedAt } }: { readonly settings: Settings }) {
  const { settings: texts } = TEXTS;
  return (
    <p>
      {texts.owner[owner]}{" "}
      {revision === null || revision === 0 ? null : (
        <>
          {texts.revision(String(revision))} {actor === null ? null : texts.by(actor)}{" "}
          {changedAt === null ? null : <Instant at={changedAt} />}
        </>
      )}
    </p>
  );
}
