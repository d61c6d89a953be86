// The label of an HTTP status: bounded, since a receiver may answer any number. Does not know what a status means.

/** The statuses that HTTP's registry names, and those that proxies use: each has a label of itself. */
const NAMED: ReadonlySet<number> = new Set([
  ...[200, 201, 202, 203, 204, 205, 206, 207, 208, 226],
  ...[300, 301, 302, 303, 304, 305, 307, 308],
  ...[400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417],
  ...[418, 421, 422, 423, 424, 425, 426, 428, 429, 431, 451, 499],
  ...[500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511, 520, 521, 522, 523, 524, 525, 526],
]);

const LABELS: ReadonlyMap<number, string> = new Map([...NAMED].map((status) => [status, String(status)]));

/** `"503"`; of a status that HTTP does not name, its class, as `"5xx"`. */
export function statusLabel(status: number): string {
  return LABELS.get(status) ?? `${String(Math.floor(status / 100) % 10)}xx`;
}
