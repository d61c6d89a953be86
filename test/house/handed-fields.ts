// Finds the functions that are handed a context, and the fields of it that neither they nor the functions they call use. A
// context is an object whose declared type is an interface named *Context or *Task, or is made from one.

import { relative } from "node:path";
import ts from "typescript";
import { ROOT } from "./packages.js";
import { placeAt } from "./places.js";
import { sourceProgram } from "./source-program.js";

export interface Handed {
  /** Where the function is, as `packages/relay/src/relay.ts:12`. */
  readonly place: string;
  readonly name: string;
  readonly fields: readonly string[];
  readonly unused: readonly string[];
}

/** The functions of these files that are handed a context. A use that cannot be followed counts as a use of all fields. */
export function handedFields(files: readonly string[]): readonly Handed[] {
  const program = sourceProgram(files, []);
  const reader = createReader(program.getTypeChecker());
  return files.flatMap((file) => functionsIn(program.getSourceFile(file)!).flatMap((one) => reader.handedTo(one)));
}

type WithBody = ts.SignatureDeclaration & { readonly body: ts.Node };

function createReader(checker: ts.TypeChecker) {
  const known = new Map<ts.ParameterDeclaration, ReadonlySet<string>>();

  function handedTo(one: WithBody): readonly Handed[] {
    return one.parameters.filter(isContext).map((parameter) => {
      const fields = fieldsOf(parameter);
      const used = usedOf(parameter, one.body);
      const name = one.name === undefined ? "=>" : one.name.getText();
      const source = one.getSourceFile();
      const place = placeAt(relative(ROOT, source.fileName), source.text, one.getStart());
      return { place, name, fields, unused: fields.filter((field) => !used.has(field)) };
    });
  }

  function fieldsOf(node: ts.Node): readonly string[] {
    return checker.getPropertiesOfType(checker.getTypeAtLocation(node)).map((symbol) => symbol.name);
  }

  /** The fields of a parameter that the function uses, or hands to a function that uses them. */
  function usedOf(parameter: ts.ParameterDeclaration, body: ts.Node): ReadonlySet<string> {
    const before = known.get(parameter);
    if (before !== undefined) return before;
    const used = new Set<string>();
    known.set(parameter, used);
    const add = (fields: Iterable<string>): void => {
      for (const field of fields) used.add(field);
    };
    if (ts.isObjectBindingPattern(parameter.name)) {
      add(namesIn(parameter.name));
      return used;
    }
    const aliases = new Set([checker.getSymbolAtLocation(parameter.name)]);
    for (const node of identifiersIn(body)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node);
      if (symbol !== undefined && aliases.has(symbol) && !isDeclared(node)) add(usedBy(node, aliases));
    }
    return used;
  }

  /** The fields that one mention of a context uses. A variable that is made from it counts as another name for it. */
  function usedBy(node: ts.Node, aliases: Set<ts.Symbol | undefined>): Iterable<string> {
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.expression === node) return [parent.name.text];
    if (ts.isVariableDeclaration(parent)) return nameIt(parent, aliases);
    if (ts.isCallExpression(parent)) return usedByCall(parent, node);
    if (!ts.isSpreadAssignment(parent)) return fieldsOf(node);
    const literal = parent.parent;
    if (ts.isCallExpression(literal.parent)) return usedByCall(literal.parent, literal);
    return ts.isVariableDeclaration(literal.parent) ? nameIt(literal.parent, aliases) : fieldsOf(node);
  }

  function nameIt({ name }: ts.VariableDeclaration, aliases: Set<ts.Symbol | undefined>): Iterable<string> {
    if (ts.isObjectBindingPattern(name)) return namesIn(name);
    aliases.add(checker.getSymbolAtLocation(name));
    return [];
  }

  function usedByCall(call: ts.CallExpression, argument: ts.Node): Iterable<string> {
    const { declaration } = checker.getResolvedSignature(call) ?? {};
    const parameter = declaration?.parameters[call.arguments.findIndex((one) => one === argument)];
    if (parameter === undefined || !ts.isParameter(parameter)) return fieldsOf(argument);
    return hasBody(declaration) ? usedOf(parameter, declaration.body) : fieldsOf(parameter);
  }

  return { handedTo };
}

function isContext({ type }: ts.ParameterDeclaration): boolean {
  return type !== undefined && /^[^=>]*\b\w*(?:Context|Task)\b(?!\[)/.test(type.getText());
}

function hasBody(node: ts.Node | undefined): node is WithBody {
  return node !== undefined && ts.isFunctionLike(node) && "body" in node && node.body !== undefined;
}

function functionsIn(node: ts.Node): readonly WithBody[] {
  const inner: WithBody[] = hasBody(node) ? [node] : [];
  ts.forEachChild(node, (child) => {
    inner.push(...functionsIn(child));
  });
  return inner;
}

/** In the order of the text, so that a variable is declared before it is used. */
function identifiersIn(node: ts.Node): readonly ts.Identifier[] {
  const inner: ts.Identifier[] = ts.isIdentifier(node) ? [node] : [];
  ts.forEachChild(node, (child) => {
    inner.push(...identifiersIn(child));
  });
  return inner;
}

function isDeclared(node: ts.Identifier): boolean {
  return (ts.isVariableDeclaration(node.parent) || ts.isParameter(node.parent)) && node.parent.name === node;
}

function namesIn({ elements }: ts.ObjectBindingPattern): readonly string[] {
  return elements.map(({ propertyName, name }) => (propertyName ?? name).getText());
}
