// Writes the Authorization header of a source: its write key as user name, and no password. Uses neither `btoa` nor
// `TextEncoder`, which some runtimes lack.

/** The key may have any characters. Blanks and line ends around it are left out; a lone surrogate is replaced, as in UTF-8. */
export function writeKeyAuthorization(writeKey: string): string {
  const escaped = encodeURIComponent(`${writeKey.trim().replace(/[\ud800-\udfff]/gu, "\ufffd")}:`);
  return `Basic ${toBase64(escaped.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))))}`;
}

/** The base64 of a text in which each character is a byte. */
function toBase64(bytes: string): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    // The code of a character after the end is NaN, which is 0 here.
    const bits = (bytes.charCodeAt(at) << 16) | (bytes.charCodeAt(at + 1) << 8) | bytes.charCodeAt(at + 2);
    for (const shift of [18, 12, 6, 0]) text += DIGITS.charAt((bits >> shift) & 63);
  }
  const padding = (3 - (bytes.length % 3)) % 3;
  return text.slice(0, text.length - padding) + "=".repeat(padding);
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
