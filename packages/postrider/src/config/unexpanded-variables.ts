// Finds texts of a destination that look like a variable of a shell or a template, which nothing replaces. Only a whole text can
// be a reference (`env:NAME`). Shows no value.

import type { Destination, Endpoint } from "@postrider/core";
import { pathTo } from "@postrider/core/engine";
import type { ConfigWarning } from "./config-warning.js";

/** `${NAME}`, `$NAME`, `$(command)`, `{{ name }}`, `%NAME%`, and `env:NAME` or `file:PATH` behind other text. */
const VARIABLE = /\$\{\w+\}|\$\(\w|(?<![\w$])\$[A-Z_]{2,}\b|\{\{\s*\w|%[A-Z_]{3,}%|[^\w](?:env:[A-Z_]|file:[./])/;

/** A warning for each such text; `path` is that of the destination. */
export function unexpandedVariables(destination: Destination, path: string): readonly ConfigWarning[] {
  const { id, endpoints, secrets } = destination;
  const texts = [
    ...endpoints.flatMap((endpoint, index) => textsOf(endpoint, `${path}.endpoints[${String(index)}]`)),
    ...secrets.map((secret) => ({ at: `${path}.sharedSecret`, text: secret.reveal() })),
  ];
  return texts.flatMap(({ at, text }) =>
    VARIABLE.test(text)
      ? [{ code: "unexpanded-variable", path: at, effect: EFFECT, change: CHANGE, destination: id }]
      : [],
  );
}

const EFFECT = "it contains what looks like a variable, which is used as it is written";
const CHANGE = 'write "env:NAME" as the whole value, and put the whole value into the variable NAME';

function textsOf({ url, headers }: Endpoint, path: string): readonly { readonly at: string; readonly text: string }[] {
  return [
    { at: `${path}.url`, text: url },
    ...headers.map(([name, value]) => ({
      at: pathTo(`${path}.headers`, name),
      text: typeof value === "string" ? value : value.reveal(),
    })),
  ];
}
