// The paths of routes as patterns, and the name that a path has in the place of a template's braces.

/** The pattern of the paths of a template, which may have one name in braces. */
export function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/, "([^/]+)")}$`);
}

/** The part of the path at the name in braces, '' without one; undefined if the path does not match. */
export function nameIn(path: string, pattern: RegExp): string | undefined {
  const found = pattern.exec(path);
  return found === null ? undefined : unescapeName(found[1] ?? "");
}

function unescapeName(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
