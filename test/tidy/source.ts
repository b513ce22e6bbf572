import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vitest/node'

/** A node of the ESTree that the parser makes, as far as the rules look at it. */
export type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export type Source = {
  /** From the repository's root, with slashes. */
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
  readonly program: Node
  readonly lineOf: (offset: number) => number
  /** Tests and what only tests use. */
  readonly isTest: boolean
}

export type Violation = { readonly path: string; readonly line: number; readonly what: string }

export const repository = fileURLToPath(new URL('../../', import.meta.url))

const patterns = ['{src,sandbox,test,bench,dashboard,examples,bin}/**/*.{ts,tsx,mjs}', '*.{ts,mjs}']
const foreign = /(^|\/)(node_modules|dist|out|generated|data|coverage)\//
const testPath = /^(test|bench)\/|\.(test|fixture)\.tsx?$/

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

export const childrenOf = (node: Node): readonly Node[] =>
  Object.entries(node)
    .filter(([key]) => key !== 'parent')
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)

/** The child under that name, if there is one. */
export const childAt = (node: Node, key: string): Node | null => {
  const child = node[key]
  return isNode(child) ? child : null
}

export const nameOf = (node: Node | null): string | null =>
  typeof node?.name === 'string' ? node.name : null

/** The node and all below it, each with the one that holds it. */
export const walk = (
  node: Node,
  /** May answer 'skip', to leave out what lies inside of the node. */
  visit: (node: Node, parent: Node | null) => unknown,
  parent: Node | null = null,
): void => {
  if (visit(node, parent) === 'skip') return
  for (const child of childrenOf(node)) walk(child, visit, node)
}

const languageOf = (path: string) => {
  if (path.endsWith('.tsx')) return 'tsx'
  return path.endsWith('.ts') ? 'ts' : 'js'
}

export const parseSource = (path: string, text: string): Source => {
  const program: unknown = parseAst(text, { lang: languageOf(path) }, path)
  if (!isNode(program)) throw new Error(`${path} does not parse`)
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  const isTest = testPath.test(path)
  return { path, text, lines: text.split('\n'), program, lineOf, isTest }
}

/** Every source file of the repository. */
export const readSources = (): readonly Source[] =>
  globSync(patterns, { cwd: repository })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !foreign.test(path))
    .sort()
    .map((path) => parseSource(path, readFileSync(`${repository}${path}`, 'utf8')))
