// The public face of codec.

export { decodeBatch } from "./decode-batch.js";
export { decodeCall } from "./decode-call.js";
export type { Batch, BatchRefusalCode, Decoded, DecodedBatch, DecodedCall } from "./decoded.js";
