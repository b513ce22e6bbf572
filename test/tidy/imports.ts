import { posix } from 'node:path'
import { childAt, childrenOf, type Node, nameOf, type Source, walk } from './source.ts'

export type Import = {
  readonly specifier: string
  /** The file it means, from the repository's root; null for packages. */
  readonly target: string | null
  /** What is taken: names, or `*` for all. */
  readonly names: readonly string[]
  readonly typeOnly: boolean
  readonly line: number
}

const textOf = (node: Node | null): string | null =>
  typeof node?.value === 'string' ? node.value : null

const nameTaken = (specifier: Node): string => {
  if (specifier.type === 'ImportNamespaceSpecifier') return '*'
  if (specifier.type === 'ImportDefaultSpecifier') return 'default'
  const imported = childAt(specifier, 'imported') ?? childAt(specifier, 'local')
  return nameOf(imported) ?? textOf(imported) ?? '*'
}

const isSpecifier = ({ type }: Node) => /^(Import|Export).*Specifier$/.test(type)

const isTypeOnly = (node: Node, specifiers: readonly Node[]): boolean =>
  [node.importKind, node.exportKind].includes('type') ||
  (specifiers.length > 0 && specifiers.every(({ importKind }) => importKind === 'type'))

const importOf = (source: Source, node: Node): Import | null => {
  const isDynamic = node.type === 'ImportExpression'
  const declares = /^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type)
  const specifier = isDynamic || declares ? textOf(childAt(node, 'source')) : null
  if (specifier === null) return null
  const specifiers = childrenOf(node).filter(isSpecifier)
  const directory = posix.dirname(source.path)
  return {
    specifier,
    target: specifier.startsWith('.') ? posix.join(directory, specifier) : null,
    names: isDynamic || node.type === 'ExportAllDeclaration' ? ['*'] : specifiers.map(nameTaken),
    typeOnly: isTypeOnly(node, specifiers),
    line: source.lineOf(node.start),
  }
}

/** Everything that a file imports, statically or not. */
export const importsOf = (source: Source): readonly Import[] => {
  const imports: Import[] = []
  walk(source.program, (node) => {
    const found = importOf(source, node)
    if (found !== null) imports.push(found)
  })
  return imports
}

/** `@scope/name/part` -> `@scope/name`. */
export const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
