// Finds what a former OpenAPI document or JSON Schema promises and a later one does not keep. What is answered may get further
// keys, words and kinds, and lose none; what may be sent may lose no key, word or form, and require no more.

/** A JSON object, as a document has it. */
export interface Node {
  readonly [key: string]: unknown;
}

/** Which way a value goes. */
type Way = "answered" | "sent";

interface Documents {
  readonly former: Node;
  readonly later: Node;
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** What a later OpenAPI document lacks; empty if it only adds. */
export function lossesOfApi(documents: Documents): readonly string[] {
  const { former, later } = documents;
  const compare = createComparison(documents);
  return keysOf(former["paths"]).flatMap((path) =>
    METHODS.filter((method) => at(former, "paths", path, method) !== undefined).flatMap((method) => {
      const before = nodeAt(former, "paths", path, method);
      const after = nodeAt(later, "paths", path, method);
      if (before["operationId"] !== after["operationId"]) return [`${method} ${path}: another operation, or none`];
      return lossesOfOperation({ before, after, where: `${method} ${path}` }, compare);
    }),
  );
}

/** What a later JSON Schema of something that is sent refuses; empty if it allows all that the former allowed. */
export function lossesOfSchema(documents: Documents): readonly string[] {
  const { former: before, later: after } = documents;
  return createComparison(documents)({ before, after, where: "" }, "sent");
}

interface Pair {
  readonly before: Node;
  readonly after: Node;
  readonly where: string;
}

type Compare = (pair: Pair, way: Way) => readonly string[];

function lossesOfOperation({ before, after, where }: Pair, compare: Compare): readonly string[] {
  const parameters = (of: Node): readonly Node[] => (of["parameters"] as readonly Node[] | undefined) ?? [];
  const gone = parameters(before).flatMap((one) => {
    const same = parameters(after).find(({ name, in: place }) => name === one["name"] && place === one["in"]);
    const here = `${where} ${String(one["name"])}`;
    if (same === undefined) return [`${here}: no such parameter`];
    return compare({ before: nodeAt(one, "schema"), after: nodeAt(same, "schema"), where: here }, "sent");
  });
  const needed = (of: Node): readonly unknown[] =>
    parameters(of)
      .filter(({ required }) => required === true)
      .map(({ name }) => name);
  const added = needed(after).filter((name) => !needed(before).includes(name));
  return [
    ...gone,
    ...added.map((name) => `${where} ${String(name)}: is required now`),
    ...lossesOfBody({ before, after, where }, compare),
    ...lossesOfAnswers({ before, after, where }, compare),
  ];
}

function lossesOfBody({ before, after, where }: Pair, compare: Compare): readonly string[] {
  const had = at(before, "requestBody", "required") === true;
  if (!had && at(after, "requestBody", "required") === true) return [`${where}: a body is required now`];
  return keysOf(at(before, "requestBody", "content")).flatMap((type) => {
    const schema = (of: Node): Node => nodeAt(of, "requestBody", "content", type, "schema");
    return compare({ before: schema(before), after: schema(after), where: `${where} body` }, "sent");
  });
}

/** Refusals may change their codes; what is answered if nothing is wrong is compared. */
function lossesOfAnswers({ before, after, where }: Pair, compare: Compare): readonly string[] {
  const good = keysOf(before["responses"]).filter((status) => status.startsWith("2"));
  return good.flatMap((status) =>
    keysOf(at(before, "responses", status, "content")).flatMap((type) => {
      const schema = (of: Node): Node => nodeAt(of, "responses", status, "content", type, "schema");
      return compare({ before: schema(before), after: schema(after), where: `${where} ${status}` }, "answered");
    }),
  );
}

function createComparison({ former, later }: Documents): Compare {
  const compare: Compare = (pair, way) => {
    const { where } = pair;
    const before = resolved(pair.before, former);
    const after = resolved(pair.after, later);
    if (formsOf(before).length > 1 || formsOf(after).length > 1) {
      const forms = formsOf(before).flatMap((form) => formsByKind(resolved(form, former)));
      const now = formsOf(after).flatMap((form) => formsByKind(resolved(form, later)));
      const lost = forms.filter((form) =>
        now.every((one) => compare({ before: form, after: one, where }, way).length > 0),
      );
      const becameNull = way === "answered" && now.some(isNull) && !forms.some(isNull);
      return [
        ...lost.map((form) => `${where}: no form like ${nameOf(form)}`),
        ...(becameNull ? [`${where}: may be null`] : []),
      ];
    }
    return lossesOfForm({ before, after, where }, way);
  };

  function lossesOfForm({ before, after, where }: Pair, way: Way): readonly string[] {
    if (before["type"] !== after["type"] && after["type"] !== undefined) return [`${where}: another type`];
    const properties = keysOf(before["properties"]).flatMap((key) => {
      const inner = { before: nodeAt(before, "properties", key), after: nodeAt(after, "properties", key) };
      const here = `${where}.${key}`;
      return at(after, "properties", key) === undefined
        ? [`${here}: is gone`]
        : compare({ ...inner, where: here }, way);
    });
    const items =
      before["items"] === undefined
        ? []
        : compare({ before: nodeAt(before, "items"), after: nodeAt(after, "items"), where: `${where}[]` }, way);
    return [...properties, ...items, ...lossesOfKeys({ before, after, where }, way)];
  }

  return compare;
}

function lossesOfKeys({ before, after, where }: Pair, way: Way): readonly string[] {
  const required = (of: Node): readonly string[] => (of["required"] as readonly string[] | undefined) ?? [];
  const [wanted, kept] = way === "answered" ? [required(before), required(after)] : [required(after), required(before)];
  const keys = wanted.filter((key) => !kept.includes(key)).map((key) => `${where}.${key}: ${WANTED[way]}`);
  return [...keys, ...lossesOfWords({ before, after, where }, way)];
}

const WANTED: Readonly<Record<Way, string>> = { answered: "is not always there", sent: "is required now" };

function lossesOfWords({ before, after, where }: Pair, way: Way): readonly string[] {
  const kept = wordsOf(after);
  const lost =
    kept === undefined ? [] : (wordsOf(before) ?? (way === "sent" ? [ANY] : [])).filter((word) => !kept.includes(word));
  const narrowed =
    way === "sent" && NARROWING.some((key) => after[key] !== undefined && isNarrower(before, after, key));
  return [...lost.map((word) => `${where}: no ${String(word)}`), ...(narrowed ? [`${where}: narrower bounds`] : [])];
}

/** Stands for all words, where a list of words has come. */
const ANY = "other words";

function wordsOf({ enum: words, const: only }: Node): readonly unknown[] | undefined {
  return only === undefined ? (words as readonly unknown[] | undefined) : [only];
}

const NARROWING = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern", "maxProperties"];

function isNarrower(before: Node, after: Node, key: string): boolean {
  const [was, is] = [before[key], after[key]];
  // A pattern with a further alternative matches more.
  if (key === "pattern" && String(is).startsWith(`${String(was)}|`)) return false;
  if (typeof was !== "number" || typeof is !== "number") return was !== is;
  return key.startsWith("min") ? is > was : is < was;
}

function formsOf(schema: Node): readonly Node[] {
  return (schema["anyOf"] as readonly Node[] | undefined) ?? [schema];
}

/** A form with several words for its `kind`, as one form for each: a later document may part them. */
function formsByKind(form: Node): readonly Node[] {
  const words = wordsOf(nodeAt(form, "properties", "kind")) ?? [];
  if (words.length < 2) return [form];
  return words.map((word) => ({
    ...form,
    properties: { ...nodeAt(form, "properties"), kind: { ...nodeAt(form, "properties", "kind"), enum: [word] } },
  }));
}

function resolved(schema: Node, document: Node): Node {
  const reference = schema["$ref"];
  return typeof reference === "string" ? nodeAt(document, ...reference.slice(2).split("/")) : schema;
}

function isNull({ type }: Node): boolean {
  return type === "null";
}

function nameOf(form: Node): string {
  return JSON.stringify(form).slice(0, 80);
}

function keysOf(value: unknown): readonly string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((inner, key) => (inner as Node | undefined)?.[key], value);
}

function nodeAt(value: unknown, ...path: readonly string[]): Node {
  return (at(value, ...path) as Node | undefined) ?? {};
}
