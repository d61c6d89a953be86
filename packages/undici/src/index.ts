// The public entry of undici: the HTTP port for production on Node, a probe of receivers, and the checks of
// network settings.

export { createUndiciHttp, type UndiciHttp, type UndiciHttpOptions } from "./create-http.js";
export { createEndpointProbe, type EndpointProbeOptions, type ProbedEndpoint } from "./probe-endpoint.js";
export type { ListenAddress } from "./addresses.js";
export type { ResolveName } from "./resolve-name.js";
export { UNDICI_SUPPORTS } from "./supports.js";
export { isCertificate, type Network } from "./network.js";
export { createIsForbiddenHost, hasForbiddenAddress } from "./addresses.js";
export { isAddressRange } from "@postrider/core";
