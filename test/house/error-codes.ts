// Every code that a user may meet, read from the types of the sources: unions of codes, the codes of answers over HTTP, and
// those of log entries. docs/errors.md has a row for each.

import { join } from "node:path";
import ts from "typescript";
import { filesUnder, PACKAGES, read, ROOT } from "./packages.js";
import { sourceProgram } from "./source-program.js";

/** Unions of codes, by the group under which docs/errors.md lists them: the file, and the type or a member of it. */
const UNIONS: readonly (readonly [group: string, file: string, type: string, member?: string])[] = [
  ["call", "core/src/call/refusal.ts", "RefusalCode"],
  ["http", "http/src/api/refuse.ts", "ApiCode"],
  ["http", "http/src/ingest/call-answers.ts", "IngestCode"],
  ["config", "postrider/src/config/config-problem.ts", "ConfigProblem", "code"],
  ["dead", "core/src/delivery/delivery.ts", "DeadReason"],
  ["filtered", "core/src/routing/route.ts", "FilterReason"],
  ["attempt", "core/src/http/reply.ts", "Fault"],
  ["store", "core/src/ports/delivery-store.ts", "StoreErrorCode"],
  ["file", "sqlite/src/file-store/open-error.ts", "OpenErrorCode"],
  ["trace", "relay/src/trace/format/read-trace.ts", "TraceErrorCode"],
  ["client", "core/src/batch/call-refused.ts", "CallRefused", "code"],
  ["client", "client/src/outcome.ts", "FailReason"],
  ["options", "core/src/options-error.ts", "OptionsError", "code"],
  ["host", "relay/src/relay.ts", "ReplayFault", "code"],
  ["host", "relay/src/requests.ts", "DeletionFault", "code"],
  ["host", "relay/src/audiences/audiences.ts", "AudienceFault", "code"],
  ["host", "relay/src/audiences/audiences.ts", "SyncFault", "code"],
  ["check", "postrider/src/config/config-warning.ts", "ConfigWarningCode"],
  ["exit", "postrider/src/cli/host.ts", "ExitCode"],
];

/** Files of which each object with a `code` is an entry or a finding that is passed on elsewhere. */
const ENTRIES: readonly (readonly [group: string, folderOrFile: string])[] = [
  ["log", "postrider/src/cli/serve/server-log.ts"],
  ["check", "postrider/src/cli/check/"],
  ["check", "postrider/src/config/probe-origins.ts"],
  ["check", "postrider/src/cli/commands/check.ts"],
];

/** Unions that contain the codes of refused calls, which have one table, wherever they are reported. */
const REPEATS_CALLS = ["IngestCode", "CallRefused"];

/** Functions that take a code in an object: what they write, and at which place the object is. */
const WRITERS: Readonly<Record<string, { readonly group: string; readonly at: number }>> = {
  errorAnswer: { group: "http", at: 1 },
  log: { group: "log", at: 1 },
  line: { group: "log", at: 1 },
  finding: { group: "check", at: 1 },
  createThrottledLog: { group: "log", at: 2 },
};

const CALL = new RegExp(`\\b(?:${Object.keys(WRITERS).join("|")})\\(`);

/** Functions that pass on an entry, so that the codes are found where they are called. */
const PASSED_ON = [
  "startEntry(config, tls !== undefined)",
  "entry",
  "sum.entry",
  "line.entry",
  "suppressed === 0 ? entry : { ...entry, suppressed }",
];

/** Codes that are made of others, and are explained there: of attempts, of refused calls, of what is passed on. */
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  'isStatus ? "bad-status" : described': ["bad-status", "gone"],
  "`call-${event.refusal.code}`": ["call-…"],
  "broken.code": [], // the codes of calls and batches, which are read from their unions
  "slipEntry(event)": ["ignored-field", "all-in-another-case"],
  dateEntry: ["unread-date", "date-ahead"],
};

/** The codes, each as `group-code`, without repetitions. */
export function errorCodes(): readonly string[] {
  const sources = PACKAGES.flatMap(({ folder }) => filesUnder(`packages/${folder}/src`, ".ts"));
  const files = sources.filter(isNeeded).map((path) => join(ROOT, path));
  const program = sourceProgram(files, ["node"]);
  const checker = program.getTypeChecker();
  const calls = unionCodes(program, checker, UNIONS[0]!);
  const unions = UNIONS.flatMap((union) =>
    unionCodes(program, checker, union).map((code) => ({ group: union[0], type: union[2], code })),
  );
  const written = files.flatMap((path) => writtenCodes(program.getSourceFile(path)!, checker));
  const own = unions.filter(({ type, code }) => !REPEATS_CALLS.includes(type) || !calls.includes(code));
  // Ingest passes on the codes of calls, which are in its union.
  const named = [...own, ...written.filter(({ group, code }) => group !== "http" || !calls.includes(code))];
  return [...new Set(named.map(({ group, code }) => `${group}-${code}`))].sort();
}

/** True for a file with a union, an entry or a writer: the others are only read for their types. */
function isNeeded(path: string): boolean {
  const folders = [...UNIONS.map(([, file]) => file), ...ENTRIES.map(([, folder]) => folder)];
  return folders.some((one) => path.startsWith(`packages/${one}`)) || CALL.test(read(path));
}

interface Named {
  readonly group: string;
  readonly code: string;
}

function unionCodes(program: ts.Program, checker: ts.TypeChecker, union: (typeof UNIONS)[number]): readonly string[] {
  const [, file, name, member] = union;
  const source = program.getSourceFile(join(ROOT, "packages", file))!;
  const declared = source.statements.find(
    (one): one is ts.TypeAliasDeclaration | ts.InterfaceDeclaration =>
      (ts.isTypeAliasDeclaration(one) || ts.isInterfaceDeclaration(one)) && one.name.text === name,
  );
  if (declared === undefined) throw new Error(`${file} has no type ${name}`);
  const type = checker.getTypeAtLocation(declared);
  const values = member === undefined ? type : checker.getTypeOfSymbol(type.getProperty(member)!);
  return literalsOf(values);
}

function writtenCodes(source: ts.SourceFile, checker: ts.TypeChecker): readonly Named[] {
  const codes: Named[] = [];
  const entries = ENTRIES.find(([, path]) => source.fileName.includes(`/packages/${path}`));
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) codes.push(...codesOfCall(node, checker));
    if (entries !== undefined && ts.isObjectLiteralExpression(node))
      codes.push(...writtenIn(node, entries[0], checker));
    node.forEachChild(look);
  };
  look(source);
  return codes;
}

/** The codes that an object names itself. A fault of an attempt, or of a file, is in the table of those. */
function writtenIn(object: ts.ObjectLiteralExpression, group: string, checker: ts.TypeChecker): readonly Named[] {
  const code = codeIn(object);
  const isPassedOn = code === undefined || (ts.isIdentifier(code) && group === "check");
  return isPassedOn ? [] : valuesOf(code, checker).map((one) => ({ group, code: one }));
}

/** @throws {Error} for a code that cannot be read from its type, so that none is left out in silence */
function codesOfCall(call: ts.CallExpression, checker: ts.TypeChecker): readonly Named[] {
  const name = ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : call.expression.getText();
  const writer = Object.hasOwn(WRITERS, name) ? WRITERS[name] : undefined;
  const argument = writer === undefined ? undefined : call.arguments[writer.at];
  if (writer === undefined || argument === undefined || PASSED_ON.includes(argument.getText())) return [];
  const object = objectOf(argument, checker);
  const written = ts.isObjectLiteralExpression(object) ? codeIn(object) : object;
  if (written === undefined) return [];
  const composed = COMPOSED[written.getText()];
  const codes = composed ?? valuesOf(written, checker);
  const file = call.getSourceFile().fileName;
  if (composed === undefined && codes.length === 0)
    throw new Error(`${file}: ${call.getText()} has a code that its type does not name`);
  const group = writer.group === "log" && file.includes("/client/") ? "client-log" : writer.group;
  return codes.map((code) => ({ group, code }));
}

/** The object that a constant was declared with, since its type has no literals. */
function objectOf(argument: ts.Expression, checker: ts.TypeChecker): ts.Expression {
  const value = constantOf(argument, checker);
  return ts.isObjectLiteralExpression(value) ? value : argument;
}

/** What a constant was declared with; another expression is answered as it is. */
function constantOf(expression: ts.Expression, checker: ts.TypeChecker): ts.Expression {
  const isShort = ts.isShorthandPropertyAssignment(expression.parent);
  const symbol = isShort
    ? checker.getShorthandAssignmentValueSymbol(expression.parent)
    : checker.getSymbolAtLocation(expression);
  const declared = symbol?.valueDeclaration;
  const value = declared !== undefined && ts.isVariableDeclaration(declared) ? declared.initializer : undefined;
  return value !== undefined && ts.isSatisfiesExpression(value) ? value.expression : (value ?? expression);
}

function codeIn(object: ts.ObjectLiteralExpression): ts.Expression | undefined {
  for (const property of object.properties) {
    if (ts.isPropertyAssignment(property) && property.name.getText() === "code") return property.initializer;
    if (ts.isShorthandPropertyAssignment(property) && property.name.text === "code") return property.name;
  }
  return undefined;
}

/** The texts that an expression may be; if it is an object, those of its `code`. */
function valuesOf(expression: ts.Expression, checker: ts.TypeChecker): readonly string[] {
  if (ts.isSatisfiesExpression(expression)) return valuesOf(expression.expression, checker);
  if (ts.isConditionalExpression(expression)) {
    return [...valuesOf(expression.whenTrue, checker), ...valuesOf(expression.whenFalse, checker)];
  }
  if (ts.isTemplateExpression(expression)) {
    const [span] = expression.templateSpans;
    return valuesOf(span!.expression, checker).map((value) => `${expression.head.text}${value}`);
  }
  const type = checker.getTypeAtLocation(constantOf(expression, checker));
  const code = type.isUnion() ? undefined : type.getProperty("code");
  return literalsOf(code === undefined ? type : checker.getTypeOfSymbolAtLocation(code, expression));
}

function literalsOf(type: ts.Type): readonly string[] {
  const members = type.isUnion() ? type.types : [type];
  return members.flatMap((one) => (one.isStringLiteral() || one.isNumberLiteral() ? [String(one.value)] : []));
}
