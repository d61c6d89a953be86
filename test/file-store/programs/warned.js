// Opens stores in a process whose threads preload a module that warns, and closes them. Prints the warning as its host gets
// it: `told` if the host asked for warnings, `process` if it did not.

import { openStores } from "../../../packages/sqlite/dist/file-store/index.js";

const [, , path, isAsked] = process.argv;
process.removeAllListeners("warning");
process.on("warning", ({ message }) => console.log(`process ${message}`));
const onWarning = isAsked === "asked" ? { onWarning: (warning) => console.log(`told ${warning}`) } : {};
const stores = await openStores(path, onWarning);
await stores.close();
