// Gzips a body with the Web standard CompressionStream.

/** True if this runtime can gzip. */
export function canGzip(): boolean {
  return typeof CompressionStream === "function" && typeof Blob === "function";
}

/** The text's UTF-8 bytes, gzipped. */
export async function gzip(text: string): Promise<Uint8Array> {
  const zipped = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(zipped).arrayBuffer());
}
