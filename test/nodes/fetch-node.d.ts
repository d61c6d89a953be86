/** Where the program of this version is, or undefined if it cannot be had. */
export function fetchNode(version: string): string | undefined;
