import { globSync, readFileSync } from 'node:fs'
import { repository, type Violation } from './source.ts'

/**
 * Words that the glossary (docs/glossary.md) replaces, each with the one to use instead. A name is
 * read as its words: `createNewsDesk` is `create news desk`.
 */
const retired: readonly (readonly [pattern: string, instead: string])[] = [
  ['told|untold|tells?|telling', 'report, return, say, know'],
  ['anew', 'again, from scratch'],
  ['whoever|somebody|nobody', 'the caller, another process, a client'],
  ['can not', 'cannot'],
  ['go on|goes on|went on|going on|gone on', 'continue, resume'],
  ['takes? in|taken in|took in|taking in', 'ingest, accept, handle'],
  ['held against|holds? against|holding against', 'compare'],
  ['meanwhile', 'until then'],
  ['mend|mends|mended|mender|mending', 'reconcile, repair'],
  ['hearsay', 'external data'],
  ['disproofs?', 'rejected stock'],
  ['newcomers?', 'newly listed stock'],
  ['settler|settling', 'finality check'],
  ['sweeps?|sweeping', 'scan'],
  ['relives?|relived|reliving', 'replay'],
  ['wakers?', 'wake'],
  ['witness|witnesses|witnessed', 'cross-check'],
  ['speakers?|speaks for', 'pricing pool'],
  ['whole again', 'healthy'],
  ['appraise|appraisal', 'value, valuation'],
  [
    'known heads|fork point|price desk|news desk|index book|pool book|minute book|token book',
    'see the glossary',
  ],
  ['first reading|first book', 'bootstrap'],
]

const texts = [
  '{src,sandbox,test,bench,dashboard,bin,ops,examples}/**/*',
  'docs/**/*.md',
  '*.{md,ts}',
]
/** What is recorded, generated or stored under a checksum keeps its words; so does the glossary. */
const exempt =
  /(^|\/)(node_modules|dist|out|generated|data|coverage)\/|\/migrations\/|^docs\/glossary\.md$|^test\/tidy\/|^ops\/prometheus\//
const readable = /\.(tsx?|mjs|md|css|html|json|ya?ml|service|sol)$|Containerfile$/

const patterns = retired.map(([pattern, instead]) => ({
  pattern: new RegExp(`\\b(${pattern.replaceAll(' ', '\\s+')})\\b`, 'i'),
  instead,
}))

/** `createNewsDesk` -> `create News Desk`, `news-desk` -> `news desk`; stored names stay. */
const wordsOf = (line: string): string =>
  line
    .replace(/\S+\.sql\b/g, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Za-z])-([A-Za-z])/g, '$1 $2')

/** The retired words of a text, line by line. */
export const wordViolations = (path: string, text: string): readonly Violation[] =>
  text.split('\n').flatMap((line, index) =>
    patterns.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(wordsOf(line))?.[0]
      if (found === undefined) return []
      return [{ path, line: index + 1, what: `the retired word '${found}': ${instead}` }]
    }),
  )

/** The retired words of every text of the repository. */
export const allWordViolations = (): readonly Violation[] =>
  globSync(texts, { cwd: repository })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => readable.test(path) && !exempt.test(path))
    .sort()
    .flatMap((path) => wordViolations(path, readFileSync(`${repository}${path}`, 'utf8')))
