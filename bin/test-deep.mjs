/*
 * `npm run test:deep`: the long runs of the simulator and of several processes on one database
 * (docs/testing.md); with arguments only what they name, in that length. Takes hours, and shows
 * how far it is.
 */
process.env.TEST_TIER = 'T1'
if (process.argv.length === 2) process.argv.push('test/sim', 'test/distributed')
await import('./test.mjs')
