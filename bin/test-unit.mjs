/*
 * `npm run test:unit`: the fast part of `npm test`, for the loop of a developer. It leaves out
 * every test that starts a process, a thread, a database or a browser (docs/testing.md).
 */
process.argv.push('--project', 'unit')
await import('./test.mjs')
