import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { circleViolations } from './tidy/circles.ts'
import { constructViolations } from './tidy/constructs.ts'
import { exportViolations } from './tidy/exports.ts'
import { layerViolations } from './tidy/layers.ts'
import { ownerViolations } from './tidy/owners.ts'
import { packageViolations } from './tidy/packages.ts'
import { shapeViolations } from './tidy/shape.ts'
import { readSources, repository, type Violation } from './tidy/source.ts'
import { unitViolations } from './tidy/unit.ts'
import { allWordViolations } from './tidy/words.ts'

/*
 * The style of docs/architecture.md as a test. Each violation is `file:line: what`; the rules
 * themselves are tested in test/tidy.
 */

const sources = readSources()
const readText = (path: string) => readFileSync(`${repository}${path}`, 'utf8')

const listed = (violations: readonly Violation[]): readonly string[] =>
  violations.map(({ path, line, what }) => `${path}:${line}: ${what}`).sort()

test('there is something to look at', () => {
  expect(sources.length).toBeGreaterThan(50)
})

test.each([
  ['imports go one way', layerViolations],
  [
    'clock, chance, environment and network have one owner, and the domain is pure',
    ownerViolations,
  ],
  ['files, functions and lines are short, names are in kebab-case', shapeViolations],
  ['no any, default exports, re-exports, classes, leftovers or skipped tests', constructViolations],
])('%s', (_what, violationsOf) => {
  expect(listed(sources.flatMap(violationsOf))).toEqual([])
})

test('no files import each other in a circle', () => {
  expect(listed(circleViolations(sources))).toEqual([])
})

test('names and texts use the words of the glossary', () => {
  expect(listed(allWordViolations())).toEqual([])
})

test('every export is used', () => {
  expect(listed(exportViolations(sources))).toEqual([])
})

test('unit tests start no process, thread, database or browser', () => {
  expect(listed(unitViolations(sources))).toEqual([])
})

test('every package is declared, pinned, used and explained', () => {
  const packageFile = JSON.parse(readText('package.json'))
  const page = readText('docs/dependencies.md')
  expect(listed(packageViolations(sources, packageFile, page))).toEqual([])
})
