// Reads the types of a port: every place at which a method takes or answers one of a closed list of texts, or a flag, with the
// members of that list. Knows nothing of what they mean.

import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ENTRY = `${ROOT}packages/core/src/index.ts`;

/** For each place, such as `commit(0).accept[].type` or `find().state`, the members that its type has. */
export function membersByPlace(port: string): ReadonlyMap<string, ReadonlySet<string>> {
  const program = ts.createProgram([ENTRY], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  });
  const checker = program.getTypeChecker();
  const entry = checker.getSymbolAtLocation(program.getSourceFile(ENTRY)!)!;
  const alias = checker.getExportsOfModule(entry).find(({ name }) => name === port)!;
  const members = new Map<string, Set<string>>();
  visitMethods(checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(alias)), "");
  return members;

  function visitMethods(type: ts.Type, path: string): void {
    for (const property of type.getProperties()) {
      const member = checker.getNonNullableType(checker.getTypeOfSymbol(property));
      const [signature] = member.getCallSignatures();
      if (signature === undefined) {
        visitMethods(member, `${path}${property.name}.`);
        continue;
      }
      const name = path + property.name;
      for (const [index, parameter] of signature.getParameters().entries())
        visit(checker.getTypeOfSymbol(parameter), `${name}(${String(index)})`);
      visit(signature.getReturnType(), `${name}()`);
    }
  }

  function visit(type: ts.Type, path: string): void {
    if (type.isStringLiteral()) note(path, type.value);
    else if (type.flags & ts.TypeFlags.BooleanLiteral) note(path, checker.typeToString(type));
    else if (type.isUnion()) for (const member of type.types) visit(member, path);
    else if (type.isIntersection() || !(type.flags & ts.TypeFlags.Object)) return;
    else visitObject(type, path);
  }

  function visitObject(type: ts.Type, path: string): void {
    const name = type.getSymbol()?.name ?? "";
    const [first] = checker.getTypeArguments(type as ts.TypeReference);
    if (name === "Promise" && first !== undefined) visit(first, path);
    else if (name.endsWith("Array") && first !== undefined && name !== "Uint8Array") visit(first, `${path}[]`);
    else if (["Uint8Array", "ReadonlyMap"].includes(name) || type.getCallSignatures().length > 0) return;
    else
      for (const property of type.getProperties()) visit(checker.getTypeOfSymbol(property), `${path}.${property.name}`);
  }

  function note(path: string, member: string): void {
    members.set(path, (members.get(path) ?? new Set()).add(member));
  }
}
