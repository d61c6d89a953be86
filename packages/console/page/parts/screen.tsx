// The frame of a screen: its title in the window and as the heading, which gets the focus when a screen comes, so that a screen reader
// announces it.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { TEXTS } from "../texts.js";

let isFirst = true;

export function Screen({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${TEXTS.product}`;
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, [title]);
  return (
    <main id="content">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}
