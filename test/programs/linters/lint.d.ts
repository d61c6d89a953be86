// The types of lint.js, for the tests.

export function lintDockerfile(text: string): readonly string[];

export function readYaml(text: string): unknown;
