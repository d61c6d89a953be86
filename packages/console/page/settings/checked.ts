// The problems of a draft, by the path of each value: the page finds some of them itself, the server checks the rest while the draft is
// edited. Also asks the server to look up the URLs of the draft, without a request to them: each URL once it has not changed for a moment, and
// again when a person asks for it.

import type { FindingJson, ReloadProblem } from "@postrider/http/api";
import { useEffect, useState } from "preact/hooks";
import { type FetchResult, change, UNREACHABLE } from "../base/ask.js";
import { TEXTS } from "../texts.js";
import { type Document, pathOfEntry } from "./document.js";
import type { DestinationDraft } from "./draft.js";

/** The check waits until the values have not changed for this long. */
const PAUSE_MS = 300;

/** The time after which a server that did not answer is asked again. */
const AGAIN_MS = 2_000;

/** The code of the problem: the server did not answer. */
const UNCHECKED = "unchecked";

/** Longer than `PAUSE_MS`, so that the check has found a text that is no URL. */
const LOOK_UP_PAUSE_MS = 800;

/** `isChecking`: the draft has changed since the last check. */
export interface Checked {
  readonly isChecking: boolean;
  /** The draft is unchanged since the check, and has no problems. */
  readonly isGood: boolean;
  readonly problems: readonly ReloadProblem[];
  /** The problems at a path, and below it if `isDeep`. */
  at(path: string, isDeep?: boolean): readonly string[];
}

/** `ownProblems`: problems that the page has found itself. `isRelevant` returns true for problems of the edited part; all are if absent. */
export function useChecked(
  document: Document | undefined,
  ownProblems: readonly ReloadProblem[],
  isRelevant?: (problem: ReloadProblem) => boolean,
): Checked {
  const [serverProblems, setServerProblems] = useState<readonly ReloadProblem[]>([]);
  const [checkedText, setCheckedText] = useState<string>();
  const [repeats, setRepeats] = useState(0);
  const text = document === undefined ? undefined : JSON.stringify(document);
  useEffect(() => {
    if (document === undefined) return undefined;
    let isOver = false;
    let timer = setTimeout(() => {
      void checkDocument(document).then((allProblems) => {
        if (isOver) return;
        setServerProblems(isRelevant === undefined ? allProblems : allProblems.filter(isRelevant));
        setCheckedText(text);
        if (allProblems.some(({ code }) => code === UNCHECKED))
          timer = setTimeout(() => setRepeats(repeats + 1), AGAIN_MS);
      });
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text, repeats]);
  const problems = [...ownProblems, ...serverProblems];
  const isChecking = checkedText !== text;
  return {
    isChecking,
    isGood: !isChecking && problems.length === 0,
    problems,
    at: (path, isDeep = false) =>
      problems
        .filter(
          (problem) =>
            problem.path === path ||
            (isDeep && (problem.path.startsWith(`${path}.`) || problem.path.startsWith(`${path}[`))),
        )
        .map(({ expected }) => TEXTS.expected(expected)),
  };
}

async function checkDocument(document: Document): Promise<readonly ReloadProblem[]> {
  return problemsIn(await change("POST", "api/settings/check", document));
}

/** The problems in an answer that refuses settings; any other error is a problem of the whole. */
function problemsIn(answer: FetchResult<unknown>): readonly ReloadProblem[] {
  if (answer.kind === "ok") return [];
  if (answer.code === UNREACHABLE) return [{ code: UNCHECKED, path: "", expected: TEXTS.setUp.unchecked }];
  return answer.problems ?? [{ code: answer.code, path: "", expected: answer.message }];
}

/** The problems of ids that another entry has already: saving would replace that entry. */
export function takenIds(
  { sources = [], destinations = [] }: Document,
  { id, source }: DestinationDraft,
  isNew: boolean,
): readonly ReloadProblem[] {
  const places = [
    ...(isNew ? [{ list: "destinations", index: destinations.findIndex((entry) => entry.id === id) }] : []),
    { list: "sources", index: sources.findIndex((entry) => entry.id === source?.id) },
  ];
  return places
    .filter(({ index }) => index >= 0)
    .map(({ list, index }) => ({
      code: "duplicate-id",
      path: `${list}[${String(index)}].id`,
      expected: TEXTS.setUp.taken,
    }));
}

/** Of two headers of one name the document has only one. The server reports names that differ in case. */
export function repeatedHeaders({ endpoints }: DestinationDraft, path: string): readonly ReloadProblem[] {
  return endpoints.flatMap(({ headers }, index) => {
    const names = headers.map(({ name }) => name);
    return headers
      .filter(({ name }, at) => names.indexOf(name) < at)
      .map(({ name }) => ({
        code: "duplicate-header",
        path: `${path}.endpoints[${String(index)}].headers.${name}`,
        expected: TEXTS.setUp.repeatedHeader,
      }));
  });
}

/** True if the problem concerns this draft. Never for `plain-secret`: a secret of the config file is hidden in this page. */
export function isOfDraft(
  { code, path }: ReloadProblem,
  document: Document,
  { id, source }: DestinationDraft,
): boolean {
  const draftPaths = [pathOfEntry(document, "destinations", id)];
  if (source !== undefined) draftPaths.push(pathOfEntry(document, "sources", source.id));
  return code !== "plain-secret" && draftPaths.some((draftPath) => path.startsWith(draftPath));
}

interface Findings {
  /** The finding about the URL at this place: `looking-up` while the server looks it up, undefined if it does not. */
  at(index: number): FindingJson | "looking-up" | undefined;
  /** Looks the URL at this place up again. */
  again(index: number): void;
}

/** `mayLookUp` returns true if the URL at this place has no problem, as far as is known. */
export function useFindings({ id, endpoints }: DestinationDraft, mayLookUp: (index: number) => boolean): Findings {
  const [findingByUrl, setFindingByUrl] = useState<ReadonlyMap<string, FindingJson | undefined>>(new Map());
  const urls = [...new Set(endpoints.map(({ url }) => url).filter((_, index) => mayLookUp(index)))];
  const missing = urls.filter((url) => !findingByUrl.has(url));
  const key = missing.join("\n");
  useEffect(() => {
    if (key === "") return undefined;
    let isOver = false;
    const timer = setTimeout(() => {
      void lookUp(id, key.split("\n")).then((findings) => {
        if (!isOver) setFindingByUrl((previous) => new Map([...previous, ...findings]));
      });
    }, LOOK_UP_PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [key, id]);
  return {
    at: (index) => {
      const { url = "" } = endpoints[index] ?? {};
      return findingByUrl.get(url) ?? (missing.includes(url) ? "looking-up" : undefined);
    },
    again: (index) =>
      setFindingByUrl((previous) => new Map([...previous].filter(([url]) => url !== endpoints[index]?.url))),
  };
}

/** The findings about these URLs; undefined if the server cannot look them up. */
async function lookUp(
  id: string,
  urls: readonly string[],
): Promise<readonly (readonly [string, FindingJson | undefined])[]> {
  const destination = id === "" ? "draft" : id;
  const settings = { destinations: [{ id: destination, sources: [], endpoints: urls.map((url) => ({ url })) }] };
  const body = { settings, destination };
  const answer = await change<{ readonly findings: readonly FindingJson[] }>("POST", "api/settings/probe", body);
  const findings = answer.kind === "ok" ? answer.value.findings : [];
  return urls.map((url, index) => [url, findings[index]] as const);
}
