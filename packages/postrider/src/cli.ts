// The program `postrider`: runs the command line, and ends with its exit status.

import { createProcessHost, endProcess } from "./cli/process-host.js";
import { runProgram } from "./cli/program.js";

endProcess(await runProgram(createProcessHost(), process.argv.slice(2)));
