// Finds texts of a destination or a hook that look like a variable of a shell or a template, which nothing replaces. Only a whole text can
// be a reference (`env:NAME`). Shows no value.

import { defined, pathTo } from "@postrider/core/engine";
import type { Called, PlacedEndpoint } from "./called.js";
import type { ConfigWarning } from "./config-warning.js";

/** `${NAME}`, `$NAME`, `$(command)`, `{{ name }}`, `%NAME%`, and `env:NAME` or `file:PATH` behind other text. */
const VARIABLE = /\$\{\w+\}|\$\(\w|(?<![\w$])\$[A-Z_]{2,}\b|\{\{\s*\w|%[A-Z_]{3,}%|[^\w](?:env:[A-Z_]|file:[./])/;

/** A warning for each such text. */
export function unexpandedVariables({ destination, path, endpoints, secrets }: Called): readonly ConfigWarning[] {
  const texts = [
    ...endpoints.flatMap(textsOf),
    ...secrets.map((secret) => ({ at: `${path}.sharedSecret`, text: secret.reveal() })),
  ];
  return texts.flatMap(({ at, text }) =>
    VARIABLE.test(text)
      ? [{ code: "unexpanded-variable", path: at, effect: EFFECT, change: CHANGE, ...defined({ destination }) }]
      : [],
  );
}

const EFFECT = "it contains what looks like a variable, which is used as it is written";
const CHANGE = 'write "env:NAME" as the whole value, and put the whole value into the variable NAME';

function textsOf({ url, headers, path }: PlacedEndpoint): readonly { readonly at: string; readonly text: string }[] {
  return [
    { at: `${path}.url`, text: url },
    ...headers.map(([name, value]) => ({
      at: pathTo(`${path}.headers`, name),
      text: typeof value === "string" ? value : value.reveal(),
    })),
  ];
}
