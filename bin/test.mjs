/*
 * `npm test`: set-up, then style, types and tests; with arguments only the tests, with those
 * arguments for vitest. Ends with the line `N passed, N failed` and the first failure's code.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { runChild } from './setup/child.mjs'
import { countTests } from './setup/count-tests.mjs'
import { prepare, root } from './setup.mjs'

const node = await prepare()
const scratch = mkdtempSync(join(tmpdir(), 'stockpools-test-'))
const reportPath = join(scratch, 'report.json')
const packages = join(root, 'node_modules')
/** `npm run check`: style and types without a test. */
const checksOnly = process.argv.includes('--checks-only')
const vitestArgs = process.argv.slice(2)

const tests = {
  name: 'tests',
  args: [
    join(packages, 'vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportPath}`,
    ...vitestArgs,
  ],
}
const tsc = join(packages, 'typescript', 'bin', 'tsc')
const checks = [
  { name: 'style', args: [join(packages, '@biomejs', 'biome', 'bin', 'biome'), 'check', '.'] },
  { name: 'types', args: [tsc, '-p', '.'] },
  { name: 'types of the dashboard', args: [tsc, '-p', 'dashboard'] },
]
/** The steps of each list run side by side. */
const allSteps = vitestArgs.length > 0 ? [[tests]] : [checks, [tests]]
const steps = checksOnly ? [checks] : allSteps

const environment = {
  // What node makes of a source is kept: many tests start processes, which load in half the time.
  NODE_COMPILE_CACHE: join(packages, '.cache', 'tests'),
  ...process.env,
  PATH: [dirname(node), process.env.PATH ?? ''].join(delimiter),
}

const readReport = () => {
  try {
    return JSON.parse(readFileSync(reportPath, 'utf8'))
  } catch {
    return null
  }
}

let exitCode = 0
const failed = []
const options = { cwd: root, stdio: 'inherit', env: environment }
for (const together of steps) {
  const ends = await Promise.all(together.map(({ args }) => runChild(node, args, options)))
  for (const [at, { code, fault }] of ends.entries()) {
    if (fault !== null) process.stderr.write(`${fault}\n`)
    if (code !== 0) failed.push(together[at].name)
    exitCode ||= code
  }
  if (ends.some(({ stopped }) => stopped)) break
}
const counts = countTests(readReport(), failed.includes('tests'))
rmSync(scratch, { recursive: true, force: true })
if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.join(', ')}\n`)
if (!checksOnly) process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`)
process.exit(exitCode)
