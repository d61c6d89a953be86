// How a place inside a JSON value is written in errors: `properties.items[0]["X-Team"]`.

const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

/** `parent` extended by one step: an index or a key. An empty parent is the root. */
export function pathTo(parent: string, step: string | number): string {
  if (typeof step === "number") return `${parent}[${String(step)}]`;
  if (!PLAIN_KEY.test(step)) return `${parent}[${JSON.stringify(step)}]`;
  return parent === "" ? step : `${parent}.${step}`;
}
