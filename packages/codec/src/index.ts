// The public face of codec.

export type { Batch, BatchRefusalCode, Decoded, DecodedBatch, DecodedCall } from "./decoded.js";
