// Zips a body, by what every runtime has of itself.

/** The text's UTF-8 bytes, zipped. */
export async function gzip(text: string): Promise<Uint8Array> {
  const zipped = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(zipped).arrayBuffer());
}
