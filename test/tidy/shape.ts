import { basename } from 'node:path'
import { type Node, type Source, type Violation, walk } from './source.ts'

const fileLinesMax = 300
const functionLinesMax = 50
/** A factory and the functions that it makes, all together. */
const factoryLinesMax = 120
const lineCharactersMax = 100
/** A word this long (a hash, a URL, a pattern) can not be broken, so its line may be longer. */
const unbreakableCharactersMin = 60

const functionTypes = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
const fileNamePattern = /^[a-z0-9]+([.-][a-z0-9]+)*$/

const longLines = ({ path, lines }: Source): readonly Violation[] =>
  lines.flatMap((text, index) => {
    const longestWord = Math.max(...text.split(/\s+/).map((word) => word.length))
    if (text.length <= lineCharactersMax || longestWord >= unbreakableCharactersMin) return []
    const what = `the line has ${text.length} characters, more than ${lineCharactersMax}`
    return [{ path, line: index + 1, what }]
  })

const lengthOf = (source: Source, node: Node): number =>
  source.lineOf(node.end) - source.lineOf(node.start) + 1

/** Lines of the functions directly inside of this one. */
const innerLines = (source: Source, node: Node): number => {
  let lines = 0
  walk(node, (each) => {
    if (each === node || !functionTypes.includes(each.type)) return
    lines += lengthOf(source, each) - 1
    return 'skip'
  })
  return lines
}

/** A factory is as long as what it does itself; functions that it makes count for themselves. */
const longFunction = (source: Source, node: Node): Violation | null => {
  if (!functionTypes.includes(node.type)) return null
  const line = source.lineOf(node.start)
  const whole = lengthOf(source, node)
  const own = whole - innerLines(source, node)
  if (own > functionLinesMax) {
    const what = `the function has ${own} lines of its own, more than ${functionLinesMax}`
    return { path: source.path, line, what }
  }
  if (whole <= factoryLinesMax) return null
  const what = `the function has ${whole} lines in all, more than ${factoryLinesMax}`
  return { path: source.path, line, what }
}

const longFunctions = (source: Source): readonly Violation[] => {
  const violations: Violation[] = []
  walk(source.program, (node) => {
    const violation = longFunction(source, node)
    if (violation !== null) violations.push(violation)
  })
  return violations
}

/** Names, and lengths of lines everywhere; lengths of files and functions outside of tests. */
export const shapeViolations = (source: Source): readonly Violation[] => {
  const violations = [...longLines(source)]
  const whole = (what: string) => violations.push({ path: source.path, line: 1, what })
  if (!fileNamePattern.test(basename(source.path))) whole('the file name is not in kebab-case')
  if (source.isTest) return violations
  const length = source.text.trimEnd().split('\n').length
  if (length > fileLinesMax) whole(`the file has ${length} lines, more than ${fileLinesMax}`)
  return [...violations, ...longFunctions(source)]
}
