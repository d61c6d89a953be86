// The program `postrider`: runs what the command line asks for, and ends with its exit status.

import { createProcessHost, endProcess } from "./process-host.js";
import { runProgram } from "./program.js";

endProcess(await runProgram(createProcessHost(), process.argv.slice(2)));
