// Packs the states of endpoints. Only the excerpt of a state is bytes, and most states have no excerpt.

import type { EndpointState } from "@postrider/core";
import type { ByteWriter, ReadBytes } from "./parcel.js";

export interface PackedEndpoint extends Omit<EndpointState, "excerpt"> {
  /** The length of the excerpt in bytes. */
  readonly excerpt?: number;
}

export function packEndpoints(endpoints: readonly EndpointState[], bytes: ByteWriter): readonly PackedEndpoint[] {
  return endpoints.map(({ excerpt, ...rest }) =>
    excerpt === undefined ? rest : { ...rest, excerpt: bytes.add(excerpt) },
  );
}

export function unpackEndpoints(endpoints: readonly PackedEndpoint[], bytes: ReadBytes): readonly EndpointState[] {
  return endpoints.map(({ excerpt, ...rest }) => (excerpt === undefined ? rest : { ...rest, excerpt: bytes(excerpt) }));
}
