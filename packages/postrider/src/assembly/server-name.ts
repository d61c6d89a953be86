// How this server is told apart from others on the same store.

import { hostname } from "node:os";
import { pid } from "node:process";

/** Its machine and its process. */
export const SERVER_NAME: string = `${hostname()}/${String(pid)}`;
