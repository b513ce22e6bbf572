/*
 * `npm run test:deep`: the simulator's long run (docs/testing.md); with arguments only what they
 * name, in that length. Takes hours, and shows how far it is.
 */
process.env.TEST_TIER = 'T1'
if (process.argv.length === 2) process.argv.push('test/sim')
await import('./test.mjs')
