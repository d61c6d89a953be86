// The program `postrider`: runs what the command line asks for, and ends with its exit status.

import { createProcessHost, endProcess } from "./cli/process-host.js";
import { runProgram } from "./cli/program.js";

endProcess(await runProgram(createProcessHost(), process.argv.slice(2)));
