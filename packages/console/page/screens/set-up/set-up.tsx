// Sets a destination up, or changes one: the entered values are checked on the server while they are edited, tried by a test event, and in
// force only once they are saved. Values to correct before that are listed by the names of their fields.

import { useEffect, useState } from "preact/hooks";
import { usePolled } from "../../base/polled.js";
import { addressOf, go, place } from "../../base/router.js";
import { session } from "../../base/session.js";
import { Screen } from "../../parts/screen.js";
import { FaultNote } from "../../parts/small.js";
import { Differences } from "../../parts/differences.js";
import { useChecked, type Checked, isOfDraft, repeatedHeaders, takenIds } from "../../settings/checked.js";
import { differencesBetween } from "../../settings/differences.js";
import { destinationIn, type Document, pathOfEntry, type Settings } from "../../settings/document.js";
import { downloadJson } from "../../base/download.js";
import {
  documentOf,
  type DestinationDraft,
  draftOf,
  hiddenTextsOf,
  newDraft,
  type Work,
} from "../../settings/draft.js";
import { TEXTS } from "../../texts.js";
import { Saved, SaveButton } from "./saving.js";
import { DestinationStep, SecretStep, SourceStep } from "./steps.js";
import { EndpointStep } from "./endpoint-step.js";
import { TestStep } from "./test-step.js";
import { formatNumber } from "../../base/format.js";

export function SetUp() {
  const { value: settings, fault } = usePolled<Settings>("api/settings", 0);
  const id = place.value.query.get("id") ?? undefined;
  const isUnknown = fault?.status === 404;
  const { value: currentSession } = session;
  const mayEdit = currentSession.kind !== "in" || currentSession.user.role === "operator";
  return (
    <Screen title={id === undefined ? TEXTS.setUp.title : TEXTS.setUp.titleOf(id)}>
      {mayEdit ? null : <p>{TEXTS.setUp.forOperators}</p>}
      {isUnknown ? <p>{TEXTS.setUp.noSettings}</p> : null}
      {fault === undefined || isUnknown ? null : <FaultNote fault={fault} />}
      {settings === undefined || !mayEdit ? null : <UnlessLocked settings={settings} id={id} />}
    </Screen>
  );
}

interface SetUpFormProps {
  readonly settings: Settings;
  /** The destination that is changed; a new one if undefined. */
  readonly id: string | undefined;
}

function UnlessLocked({ settings, id }: SetUpFormProps) {
  if (settings.locked.includes("destinations")) {
    return <p class="note">{TEXTS.settings.locked(settings.locked.join(", "))}</p>;
  }
  return <SetUpForm key={id} settings={settings} id={id} />;
}

function SetUpForm({ settings, id }: SetUpFormProps) {
  const [work, setWork] = useState<Work>();
  const [revision, setRevision] = useState<number>();
  useEffect(() => void beginWork(settings, id).then(setWork), []);
  useEffect(() => {
    if (work !== undefined && revision === undefined) unsavedWork.set(id, work);
    else unsavedWork.delete(id);
  }, [work, revision]);
  if (id !== undefined && destinationIn(settings.document, id) === undefined)
    return <p>{TEXTS.setUp.noDestination(id)}</p>;
  if (work === undefined) return <p>{TEXTS.loading}</p>;
  if (revision !== undefined) return <Saved revision={revision} work={work} isNew={id === undefined} />;
  return <DraftForm work={work} isNew={id === undefined} onChange={setWork} onSaved={setRevision} />;
}

/**
 * Values that were entered and are not saved, so that a person may look at another screen meanwhile, with the settings that they change.
 */
const unsavedWork = new Map<string | undefined, Work>();

async function beginWork(base: Settings, id: string | undefined): Promise<Work> {
  const unsaved = unsavedWork.get(id);
  if (unsaved !== undefined) return unsaved;
  const destination = id === undefined ? undefined : destinationIn(base.document, id);
  const draft = destination === undefined ? await newDraft(base.document) : draftOf(destination);
  return { base, begun: draft, draft };
}

interface DraftFormProps {
  readonly work: Work;
  readonly isNew: boolean;
  readonly onChange: (work: Work) => void;
  readonly onSaved: (revision: number) => void;
}

function DraftForm({ work, isNew, onChange, onSaved }: DraftFormProps) {
  const { setUp: texts } = TEXTS;
  const { base, begun, draft } = work;
  useEffect(() => (isSame(begun, draft) ? undefined : warnBeforeUnload()), [begun, draft]);
  const isStore = base.owner === "store";
  const document = documentOf(draft, base.document);
  const path = pathOfEntry(document, "destinations", draft.id);
  const ownProblems = [...takenIds(base.document, draft, isNew), ...repeatedHeaders(draft, path)];
  const checked = useChecked(
    document,
    ownProblems,
    isStore ? undefined : (problem) => isOfDraft(problem, document, draft),
  );
  const hiddenTexts = hiddenTextsOf(base.document, draft.id);
  const change = (changed: DestinationDraft): void => onChange({ ...work, draft: changed });
  const parts = {
    isStore,
    hiddenTexts,
    draft,
    base: base.document,
    document,
    checked,
    path,
    isNew,
    onChange: change,
  };
  return (
    <>
      <p>{isStore ? texts.intro : texts.fileOwned}</p>
      <form class="set-up" onSubmit={(event) => event.preventDefault()}>
        <SourceStep {...parts} />
        <DestinationStep {...parts} />
        <EndpointStep {...parts} />
        <SecretStep {...parts} />
        <TestStep {...parts} />
        <Summary checked={checked} path={path} />
        {isStore ? (
          <SaveButton work={work} document={document} isGood={checked.isGood} onChange={onChange} onSaved={onSaved} />
        ) : (
          <>
            <Differences differences={differencesBetween(base.document, document)} />
            <button
              type="button"
              class="main"
              disabled={!checked.isGood}
              onClick={() => downloadJson(entriesOf(draft, document), "destination.json")}
            >
              {texts.download}
            </button>
          </>
        )}
      </form>
    </>
  );
}

/** The new entries of a file: the destination, and the source that was made for it. */
function entriesOf({ id, source }: DestinationDraft, { sources = [], destinations = [] }: Document): Document {
  const newSources = sources.filter((entry) => entry.id === source?.id);
  return {
    ...(newSources.length === 0 ? {} : { sources: newSources }),
    destinations: destinations.filter((entry) => entry.id === id),
  };
}

function isSame(a: DestinationDraft, b: DestinationDraft): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The browser asks before it leaves the page, where a new key and a new secret would be lost. Returns a function that ends that. */
function warnBeforeUnload(): () => void {
  const warn = (event: Event): void => event.preventDefault();
  addEventListener("beforeunload", warn);
  return () => removeEventListener("beforeunload", warn);
}

/** Opens the form for a destination. */
export function editDestination(id: string): void {
  go(addressOf("set-up", { id }));
}

interface SummaryProps {
  readonly checked: Checked;
  /** The path of the destination in the document. */
  readonly path: string;
}

function Summary({ checked: { isChecking, isGood, problems }, path: destination }: SummaryProps) {
  const { setUp: texts } = TEXTS;
  return (
    <div class="summary" aria-live="polite">
      {isChecking ? <p>{texts.checking}</p> : null}
      {isGood ? <p>{texts.good}</p> : null}
      {!isChecking && problems.length > 0 ? (
        <>
          <p>{texts.problems(formatNumber(problems.length))}</p>
          <ul>
            {problems.map(({ path, expected }) => (
              <li key={path + expected}>
                {fieldOf(path, destination)}: <span class="problem">{TEXTS.expected(expected)}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}

/** The name of the field at a path; the path itself if the form has none for it. */
function fieldOf(path: string, destination: string): string {
  const { source, destination: texts, endpoints, secret, steps } = TEXTS.setUp;
  if (path.startsWith("sources[")) return source.id;
  if (!path.startsWith(destination)) return path === "" ? TEXTS.settings.document : path;
  const within = path.slice(destination.length);
  const [, at] = /^\.endpoints\[(\d+)\]/.exec(within) ?? [];
  if (at !== undefined) {
    const number = Number(at) + 1;
    return within.includes(".headers") ? endpoints.header(number) : endpoints.url(number);
  }
  const [, key = ""] = /^\.(\w+)/.exec(within) ?? [];
  const names: Readonly<Record<string, string>> = {
    id: texts.id,
    name: texts.name,
    sources: steps.source,
    sharedSecret: secret.label,
  };
  return names[key] ?? path;
}
