// Writes docs/api: the exported declarations of every entry of every package, so that a change of the public surface
// shows in a diff. Reads only the built .d.ts files and package.json; run by `npm run docs`, which builds before.
// (decision: records of the surface)

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = "docs/api";
const HEADER = "// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.";
/** Entries without a page: only the packages of this project import them, and they promise nothing. */
export const INTERNAL_ENTRIES = ["@postrider/core/batch", "@postrider/core/engine"];
const FORMAT = { parser: "typescript", printWidth: 120 };
const PRINTER = ts.createPrinter({ removeComments: true });

/** Only declarations of our packages are shown: those of third parties and of the platform are only named. */
const OPTIONS = {
  noLib: true,
  types: [],
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

/** The text of every page by its path; `root` holds `packages/`, built. */
export async function apiPages(root = ROOT) {
  const found = entriesUnder(root);
  const program = programOf(found);
  const checker = program.getTypeChecker();
  const entries = found.map((entry) => ({ ...entry, names: namesOf(entry, program, checker) }));
  const surface = { checker, entries };
  const open = entries.filter(({ specifier }) => !INTERNAL_ENTRIES.includes(specifier));
  const pages = await Promise.all(open.map(async (entry) => [entry.page, await pageOf(entry, surface)]));
  return new Map([[`${FOLDER}/README.md`, await listOf(open)], ...pages]);
}

export async function writeApiPages() {
  const pages = await apiPages();
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  for (const path of readdirSync(join(ROOT, FOLDER))) {
    if (!pages.has(`${FOLDER}/${path}`)) rmSync(join(ROOT, FOLDER, path));
  }
  for (const [path, text] of pages) writeFileSync(join(ROOT, path), text);
}

function entriesUnder(root) {
  return readdirSync(join(root, "packages"))
    .sort()
    .filter((folder) => existsSync(join(root, "packages", folder, "package.json")))
    .flatMap((folder) => entriesOf(join(root, "packages", folder), folder));
}

function entriesOf(path, folder) {
  const { name, exports } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  return Object.entries(exports)
    .filter(([, target]) => typeof target === "object")
    .map(([key, { types }]) => ({
      specifier: name + key.slice(1),
      page: `${FOLDER}/${[folder, ...key.split("/").slice(1)].join(".")}.d.ts`,
      path: join(path, "/"),
      file: join(path, types),
    }));
}

function programOf(entries) {
  const missing = entries.filter(({ file }) => !existsSync(file));
  if (missing.length > 0) throw new Error(`not built: ${missing.map(({ file }) => file).join(", ")}`);
  const host = ts.createCompilerHost(OPTIONS);
  const filesOfEntries = new Map(entries.map(({ specifier, file }) => [specifier, file]));
  const fileNamed = (text, from) =>
    text.startsWith(".") ? join(dirname(from), text.replace(/\.js$/, ".d.ts")) : filesOfEntries.get(text);
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => ({ resolvedModule: resolved(fileNamed(text, from)) }));
  return ts.createProgram({ rootNames: [...filesOfEntries.values()], options: OPTIONS, host });
}

function resolved(file) {
  return file === undefined ? undefined : { resolvedFileName: file, extension: ts.Extension.Dts };
}

/** The exports of an entry: each name, and where it is declared. */
function namesOf({ file }, program, checker) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file));
  const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
  return new Map(symbols.map((symbol) => [symbol.name, origin(symbol, checker)]).sort(byName));
}

/**
 * Follows imports and re-exports of a package to the declaration, or to the import of another package:
 * `{ symbol }` or `{ specifier, name }`.
 */
function origin(symbol, checker) {
  const [declaration] = symbol.declarations ?? [];
  if (declaration === undefined || !(symbol.flags & ts.SymbolFlags.Alias)) return { symbol };
  const specifier = specifierOf(declaration);
  const name = ts.isNamespaceImport(declaration) ? "*" : (declaration.propertyName ?? declaration.name).text;
  if (specifier === undefined) return { symbol: checker.getAliasedSymbol(symbol) };
  if (!specifier.text.startsWith(".")) return { specifier: specifier.text, name };
  const next = checker.getSymbolAtLocation(specifier)?.exports?.get(ts.escapeLeadingUnderscores(name));
  if (next === undefined)
    throw new Error(`${specifier.text} exports no ${name} (${declaration.getSourceFile().fileName})`);
  return origin(next, checker);
}

function specifierOf(declaration) {
  for (let node = declaration; node !== undefined; node = node.parent) {
    if (node.moduleSpecifier !== undefined) return node.moduleSpecifier;
  }
  return undefined;
}

async function pageOf(entry, surface) {
  const seen = { imports: new Map(), inner: new Map() };
  const shown = [...entry.names].map(([name, found]) => exported(name, found, entry, seen, surface));
  const inner = innerOf(entry, seen, surface);
  const text = [
    HEADER,
    `// What \`${entry.specifier}\` exports.`,
    "",
    ...importsOf(seen.imports),
    "",
    ...shown,
    ...(inner.length === 0 ? [] : ["", "// Not exported by name, but part of what is.", "", ...inner]),
    "",
    "export {};",
  ];
  return format(text.join("\n"), FORMAT);
}

function exported(name, found, entry, seen, surface) {
  if (found.symbol === undefined) return `export { ${renamed(found.name, name)} } from "${found.specifier}";\n`;
  const elsewhere = otherEntry(found.symbol, entry, surface);
  if (elsewhere !== undefined) return `export { ${renamed(elsewhere.name, name)} } from "${elsewhere.specifier}";\n`;
  const own = found.symbol.name;
  const text = textOf(found.symbol, entry, seen, surface);
  return own === name
    ? `export ${text.join("\nexport ")}\n`
    : `${text.join("\n")}\nexport { ${renamed(own, name)} };\n`;
}

/** Declarations that are not exported and that exported ones refer to, directly or through others. */
function innerOf(entry, seen, surface) {
  const texts = new Map();
  for (const symbol of seen.inner.values()) {
    if (!texts.has(symbol)) texts.set(symbol, textOf(symbol, entry, seen, surface).join("\n"));
  }
  return [...texts]
    .map(([{ name }, text]) => [name, `${text}\n`])
    .sort(byName)
    .map(([, text]) => text);
}

/** The declarations of a symbol without comments. Adds the symbols that they refer to to `seen`. */
function textOf(symbol, entry, seen, surface) {
  return symbol.declarations.map((declaration) => {
    visit(declaration, (node) => note(node, entry, seen, surface));
    const source = declaration.getSourceFile();
    const text = PRINTER.printNode(ts.EmitHint.Unspecified, declaration, source);
    return ts.isVariableDeclaration(declaration) ? `declare const ${text};` : text.replace(/^export /, "");
  });
}

function note(node, entry, seen, { checker, entries }) {
  if (!ts.isIdentifier(node)) return;
  const symbol = checker.getSymbolAtLocation(node);
  const [declaration] = symbol?.declarations ?? [];
  if (declaration === undefined || !isOfModule(declaration)) return;
  const found = origin(symbol, checker);
  if (found.symbol === undefined) return seen.imports.set(node.text, found);
  if ([...entry.names.values()].some((other) => other.symbol === found.symbol)) return;
  const elsewhere = otherEntry(found.symbol, entry, { entries });
  if (elsewhere !== undefined) return seen.imports.set(node.text, elsewhere);
  seen.inner.set(found.symbol, found.symbol);
}

/** Whether it is declared at the top level of a file: not a parameter, a member or a type parameter. */
function isOfModule(declaration) {
  if (specifierOf(declaration) !== undefined) return true;
  const parent = ts.isVariableDeclaration(declaration) ? declaration.parent.parent.parent : declaration.parent;
  return parent !== undefined && ts.isSourceFile(parent);
}

/** An earlier entry of the same package that exports it, so that each declaration is shown once. */
function otherEntry(symbol, entry, { entries }) {
  const others = entries.filter(({ path }) => path === entry.path);
  for (const { specifier, names } of others) {
    if (specifier === entry.specifier) break;
    const [name] = [...names].find(([, found]) => found.symbol === symbol) ?? [];
    if (name !== undefined) return { specifier, name };
  }
  return undefined;
}

function importsOf(imports) {
  const bySpecifier = new Map();
  for (const [local, { specifier, name }] of imports) {
    const named = name === "*" ? `* as ${local}` : renamed(name, local);
    bySpecifier.set(specifier, [...(bySpecifier.get(specifier) ?? []), named]);
  }
  return [...bySpecifier].sort(byName).flatMap(([specifier, names]) => {
    const spaces = names.filter((name) => name.startsWith("*")).map((name) => importOf(name, specifier));
    const listed = names.filter((name) => !name.startsWith("*")).sort();
    return listed.length === 0 ? spaces : [...spaces, importOf(`{ ${listed.join(", ")} }`, specifier)];
  });
}

function importOf(names, specifier) {
  return `import type ${names} from "${specifier}";`;
}

async function listOf(entries) {
  const rows = entries.map(
    ({ specifier, page, names }) => `| [\`${specifier}\`](${page.slice(FOLDER.length + 1)}) | ${names.size} |`,
  );
  return format(
    `# The public surface

<!-- Written by test/house/api-report.js from what is built. Run \`npm run docs\` instead of editing it. -->

Every public entry of every package, with each exported name and its declaration. A change of the surface is a change of
these files, and so is seen in review.

${INTERNAL_ENTRIES.map((entry) => `\`${entry}\``).join(" and ")} are internal: the packages of this project import them, and any version
may change them. They have no page.

| entry | names |
| --- | --- |
${rows.join("\n")}
`,
    { ...FORMAT, parser: "markdown" },
  );
}

function renamed(from, to) {
  return from === to ? to : `${from} as ${to}`;
}

function visit(node, look) {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

/** By code units, so that the order is the same on every machine. */
function byName([one], [other]) {
  return one < other ? -1 : one > other ? 1 : 0;
}
