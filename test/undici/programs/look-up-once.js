// Looks up this machine by the system's resolver, in another process, and prints the addresses. Nothing ends it: it has to end alone.

import { createSystemClock } from "@postrider/system";
import { createAskSystem } from "../../../packages/undici/dist/ask-system.js";

console.log(JSON.stringify(await createAskSystem(createSystemClock())("localhost")));
