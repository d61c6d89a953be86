// The declarations of the platform that this package may use: those that every runtime has.

declare class TextEncoder {
  encode(text: string): Uint8Array;
}

declare class TextDecoder {
  constructor(label: "utf-8", options: { readonly ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}
