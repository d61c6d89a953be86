// The types of probed.js, for the tests.

export function probedEnv(more?: Readonly<Record<string, string>>): NodeJS.ProcessEnv;
