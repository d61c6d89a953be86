// Packs the state of endpoints. Only the excerpt is bytes, and most endpoints have none.

import type { EndpointState } from "@postrider/core";
import type { ByteWriter, ReadBytes } from "./parcel.js";

export interface PackedEndpoint extends Omit<EndpointState, "excerpt"> {
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
