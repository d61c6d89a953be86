// The address of the documents, for the links that errors carry. The only place that names it.

/** The address of the folder of documents, without a slash at its end. */
export const DOCS_URL = "https://github.com/postrider/postrider/blob/main/docs";

/** The address of a row of the page about errors, such as `http-bad-query`, or of a heading. */
export function errorDocs(anchor: string): string {
  return `${DOCS_URL}/errors.md#${anchor}`;
}
