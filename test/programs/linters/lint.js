// Reads files of docs/operate with the programs that others wrote for them.

import { validate } from "dockerfile-utils";
import { parse } from "yaml";

/** What is wrong with a Dockerfile; empty if nothing is. */
export function lintDockerfile(text) {
  return validate(text).map(({ range, message }) => `line ${range.start.line + 1}: ${message}`);
}

/**
 * The value of a YAML file.
 *
 * @throws {Error} if it is no YAML, or has a key twice
 */
export function readYaml(text) {
  return parse(text, { strict: true, uniqueKeys: true });
}
