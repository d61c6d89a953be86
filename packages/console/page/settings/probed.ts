// Whether the receivers of a draft can be reached: the server looks up names, vets addresses and shakes hands, and sends no request.
// Each URL is tried once it has no problem and has not changed for a moment, and again when a person asks for it.

import { useEffect, useState } from "preact/hooks";
import { change } from "../base/ask.js";
import type { Draft } from "./draft.js";

export interface Finding {
  readonly kind: "ok" | "warning" | "fault";
  readonly message: string;
  readonly change: string | null;
}

/** What is known of the URL at this place: `probing` while it is asked for, undefined if it is not. */
export interface Probed {
  at(index: number): Finding | "probing" | undefined;
  /** Tries the URL at this place again. */
  again(index: number): void;
}

/** Longer than that of the check, which finds a URL that is none. */
const PAUSE_MS = 800;

/** `mayBeTried`: whether the URL at this place has no problem, as far as is known. */
export function useProbed({ id, endpoints }: Draft, mayBeTried: (index: number) => boolean): Probed {
  const [found, setFound] = useState<ReadonlyMap<string, Finding | undefined>>(new Map());
  const wanted = [...new Set(endpoints.map(({ url }) => url).filter((_, index) => mayBeTried(index)))];
  const missing = wanted.filter((url) => !found.has(url));
  const key = missing.join("\n");
  useEffect(() => {
    if (key === "") return undefined;
    let isOver = false;
    const timer = setTimeout(() => {
      void probe(id, key.split("\n")).then((findings) => {
        if (!isOver) setFound((before) => new Map([...before, ...findings]));
      });
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [key, id]);
  return {
    at: (index) => {
      const { url = "" } = endpoints[index] ?? {};
      return found.get(url) ?? (missing.includes(url) ? "probing" : undefined);
    },
    again: (index) => setFound((before) => new Map([...before].filter(([url]) => url !== endpoints[index]?.url))),
  };
}

/** What was found at these URLs; undefined if the server cannot try them. */
async function probe(
  id: string,
  urls: readonly string[],
): Promise<readonly (readonly [string, Finding | undefined])[]> {
  const destination = id === "" ? "draft" : id;
  const settings = { destinations: [{ id: destination, sources: [], endpoints: urls.map((url) => ({ url })) }] };
  const body = { settings, destination };
  const asked = await change<{ readonly findings: readonly Finding[] }>("POST", "api/settings/probe", body);
  const findings = asked.kind === "ok" ? asked.value.findings : [];
  return urls.map((url, index) => [url, findings[index]] as const);
}
