// The public face of undici: the HTTP port for production on Node, and the checks of network settings.

export { createUndiciHttp, type UndiciHttp, type UndiciHttpOptions } from "./create-http.js";
export type { ListenAddress } from "./own-address.js";
export type { Resolve } from "./resolve-name.js";
export { UNDICI_SUPPORTS } from "./supports.js";
export { isCertificate, type Network } from "./network.js";
export { createForbiddenHost, forbiddenLiteral } from "./vet-address.js";
export { isAddressRange } from "@postrider/core";
