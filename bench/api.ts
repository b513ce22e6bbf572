import { runCommand } from './command.ts'
import { defaultOptions, parseOptions } from './options.ts'

/* `npm run bench:api`: only the rows of the HTTP API. */
const rows = new Set([6, 7, 8, 12, 13])
await runCommand(parseOptions(process.argv.slice(2), { ...defaultOptions, rows }))
