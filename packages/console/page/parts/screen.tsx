// The frame of a screen: its title, in the window and as the heading. The heading of each screen but the first gets the focus, so that a
// screen reader announces it; the first is announced with the page.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { TEXTS } from "../texts.js";

let isFirstScreen = true;

export function Screen({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${TEXTS.product}`;
    if (!isFirstScreen) heading.current?.focus();
    isFirstScreen = false;
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
