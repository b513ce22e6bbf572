import { type Node, type Source, type Violation, walk } from './source.ts'

type Rule = {
  readonly finds: (node: Node) => boolean
  readonly what: string
  /** True if the rule does not apply to tests. */
  readonly inTests?: false
  readonly except?: readonly string[]
}

const isReexport = ({ type, source }: Node) =>
  type === 'ExportAllDeclaration' ||
  (type === 'ExportNamedDeclaration' && source !== null && source !== undefined)

const nodeRules: readonly Rule[] = [
  { finds: ({ type }) => type === 'TSAnyKeyword', what: 'any: use the real type, or unknown' },
  {
    finds: ({ type }) => type === 'ExportDefaultDeclaration',
    what: 'a default export: use a named export',
    except: ['vitest.config.ts'],
  },
  { finds: isReexport, what: 'a re-export: import from the defining file' },
  {
    finds: ({ type }) => type === 'ClassDeclaration' || type === 'ClassExpression',
    what: 'a class: write a factory createX(deps)',
    inTests: false,
  },
  {
    finds: ({ type }) => type === 'TSNonNullExpression',
    what: 'a non-null `!`: narrow the type, or handle null',
    inTests: false,
  },
]

type TextRule = { readonly pattern: RegExp; readonly what: string; readonly at?: RegExp }

/** In parts, so that these rules do not find themselves. */
const leftovers = ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')
const skips = ['sk' + 'ip', 'on' + 'ly', 'to' + 'do', 'fa' + 'ils', 'skip' + 'If', 'run' + 'If']

const textRules: readonly TextRule[] = [
  { pattern: new RegExp(`\\b(${leftovers})\\b`), what: 'a leftover note: do it or remove it' },
  {
    pattern: new RegExp(`\\b(it|test|describe|suite|bench)\\.(${skips.join('|')})\\b`),
    what: 'a skipped, focused or conditional test',
  },
  {
    pattern: /robinhood|alchemy|infura|quicknode|ankr|dexscreener|geckoterminal/i,
    what: 'the name of a vendor: the indexer uses ports only',
    at: /^src\/indexer\//,
  },
  {
    pattern: /\b(SELECT|INSERT INTO|CREATE TABLE|DELETE FROM)\b|https?:\/\//,
    what: 'SQL or HTTP: the indexer uses ports only',
    at: /^src\/indexer\//,
  },
]

const nodeViolations = (source: Source): readonly Violation[] => {
  const rules = nodeRules.filter(
    ({ inTests, except }) =>
      !(source.isTest && inTests === false) && !except?.includes(source.path),
  )
  const violations: Violation[] = []
  walk(source.program, (node) => {
    for (const { finds, what } of rules) {
      if (!finds(node)) continue
      violations.push({ path: source.path, line: source.lineOf(node.start), what })
    }
  })
  return violations
}

/** Constructs that the style does without. */
export const constructViolations = (source: Source): readonly Violation[] => {
  const rules = textRules.filter(({ at }) => at === undefined || at.test(source.path))
  const inText = source.lines.flatMap((text, index) =>
    rules
      .filter(({ pattern, at }) => pattern.test(text) && !(at !== undefined && source.isTest))
      .map(({ what }) => ({ path: source.path, line: index + 1, what })),
  )
  return [...inText, ...nodeViolations(source)]
}
