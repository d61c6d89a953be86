// Checks a draft on the server while it is edited: what is wrong, by the path of each value.

import { useEffect, useState } from "preact/hooks";
import { type Asked, change } from "../base/ask.js";
import { TEXTS } from "../texts.js";
import type { Document } from "./document.js";

export interface Problem {
  readonly code: string;
  readonly path: string;
  readonly expected: string;
}

/** `checking`: the draft has changed since. */
export interface Checked {
  readonly isChecking: boolean;
  /** It is as it was checked, and nothing is wrong with it. */
  readonly isGood: boolean;
  readonly problems: readonly Problem[];
  /** What is wrong at a path, and below it if `isDeep`. */
  at(path: string, isDeep?: boolean): readonly string[];
}

/** A person who is typing is not interrupted. */
const PAUSE_MS = 300;
/** When a server that did not answer is asked again. */
const AGAIN_MS = 2_000;
/** The code of the problem that the server has not answered. */
const UNCHECKED = "unchecked";

/** `known`: problems that the page has found itself. `isRelevant`: whether a problem is one of what is edited; all are if absent. */
export function useChecked(
  document: Document | undefined,
  known: readonly Problem[],
  isRelevant?: (problem: Problem) => boolean,
): Checked {
  const [found, setFound] = useState<readonly Problem[]>([]);
  const [checked, setChecked] = useState<string>();
  const [round, setRound] = useState(0);
  const text = document === undefined ? undefined : JSON.stringify(document);
  useEffect(() => {
    if (document === undefined) return undefined;
    let isOver = false;
    let timer = setTimeout(() => {
      void checkDocument(document).then((all) => {
        if (isOver) return;
        setFound(isRelevant === undefined ? all : all.filter(isRelevant));
        setChecked(text);
        if (all.some(({ code }) => code === UNCHECKED)) timer = setTimeout(() => setRound(round + 1), AGAIN_MS);
      });
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text, round]);
  const problems = [...known, ...found];
  const isChecking = checked !== text;
  return {
    isChecking,
    isGood: !isChecking && problems.length === 0,
    problems,
    at: (path, isDeep = false) =>
      problems
        .filter(
          (one) =>
            one.path === path || (isDeep && (one.path.startsWith(`${path}.`) || one.path.startsWith(`${path}[`))),
        )
        .map(({ expected }) => TEXTS.expected(expected)),
  };
}

async function checkDocument(document: Document): Promise<readonly Problem[]> {
  return problemsIn(await change("POST", "api/settings/check", document));
}

/** The problems in an answer that refuses settings; what else went wrong is a problem of the whole. */
export function problemsIn(asked: Asked<unknown>): readonly Problem[] {
  if (asked.kind === "ok") return [];
  if (asked.kind === "unreachable") return [{ code: UNCHECKED, path: "", expected: TEXTS.setUp.unchecked }];
  return asked.problems ?? [{ code: asked.code, path: "", expected: asked.message }];
}
