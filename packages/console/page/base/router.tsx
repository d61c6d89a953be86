// The place of the page: the path below the console's, and the query. Links change the address without loading the page again.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

export interface PageAddress {
  /** Without a slash at its ends: '' or `deliveries/ID`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const base = new URL(document.baseURI).pathname;

/** The present place of the page. */
export const place = signal<PageAddress>(placeNow());

addEventListener("popstate", () => (place.value = placeNow()));

/** Goes to an address below the console's, such as `deliveries?state=dead`. With `replaces`, Back does not return to the one before. */
export function go(address: string, replaces = false): void {
  const url = base + address;
  if (replaces) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  place.value = placeNow();
  if (!replaces) scrollTo(0, 0);
}

/** A link to an address below the console's. */
export function Link({ to, isCurrent = false, children }: LinkProps) {
  const onClick = (event: MouseEvent): void => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={base + to} onClick={onClick} aria-current={isCurrent ? "page" : undefined}>
      {children}
    </a>
  );
}

interface LinkProps {
  readonly to: string;
  /** True if the link leads to the present place of the page. */
  readonly isCurrent?: boolean;
  readonly children: ComponentChildren;
}

/** An address of a path and the parameters that have a value. */
export function addressOf(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "",
  );
  const text = new URLSearchParams(pairs).toString();
  return text === "" ? path : `${path}?${text}`;
}

function placeNow(): PageAddress {
  const { pathname, search } = location;
  return { path: pathname.slice(base.length).replace(/\/$/, ""), query: new URLSearchParams(search) };
}
