import { runCommand } from './command.ts'
import { parseOptions } from './options.ts'

/*
 * `npm run bench [-- --rows 1,2 --repeat 3]`: one table of all figures, each beside what the
one table of all figures
 */
await runCommand(parseOptions(process.argv.slice(2)))
