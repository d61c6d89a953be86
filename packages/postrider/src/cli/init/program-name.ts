// Decides how a printed command names this program, so that it can be pasted: npm puts its folder of programs into the path
// only of what it starts.

/** Variables that npm sets for what it starts, as `npx` or for a script. */
const VARIABLES_OF_NPM = ["npm_command", "npm_lifecycle_event", "npm_execpath"] as const;

/** `npx postrider` in a process that npm has started, otherwise `postrider`. */
export function programName(env: (name: string) => string | undefined): string {
  return VARIABLES_OF_NPM.some((name) => (env(name) ?? "") !== "") ? "npx postrider" : "postrider";
}
