// Classes that every JavaScript runtime has, but that the libraries of ECMAScript do not declare (`types: []`).

declare class TextEncoder {
  encode(text: string): Uint8Array;
}

declare class TextDecoder {
  decode(bytes: Uint8Array): string;
}
