// Opens stores in a process whose threads are preloaded with something that warns, and closes them. Prints what its host
// hears of it: `told` if the host asked for warnings, `process` if it did not.

import { openStores } from "../../../packages/sqlite-file/dist/index.js";

const [, , path, isAsked] = process.argv;
process.removeAllListeners("warning");
process.on("warning", ({ message }) => console.log(`process ${message}`));
const onWarning = isAsked === "asked" ? { onWarning: (warning) => console.log(`told ${warning}`) } : {};
const stores = await openStores(path, onWarning);
await stores.close();
