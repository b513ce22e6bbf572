import { importsOf } from './imports.ts'
import {
  childAt,
  childrenOf,
  type Node,
  nameOf,
  type Source,
  type Violation,
  walk,
} from './source.ts'

type Export = { readonly name: string; readonly isType: boolean; readonly line: number }

/** Published entry points, what others start by path, and the checks of `stockpools verify`. */
const entryPoints = /^src\/client\/|^src\/cli\.ts$|^src\/verify\/[^/]+\.ts$/

const declaredNames = (declaration: Node): readonly string[] => {
  const nodes =
    declaration.type === 'VariableDeclaration'
      ? childrenOf(declaration).map((each) => childAt(each, 'id'))
      : [childAt(declaration, 'id')]
  return nodes.map(nameOf).filter((name) => name !== null)
}

const exportsOf = (source: Source): readonly Export[] =>
  childrenOf(source.program)
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap((node) => {
      const declaration = childAt(node, 'declaration')
      if (declaration === null) return []
      const isType = /^TS(TypeAlias|Interface)Declaration$/.test(declaration.type)
      const line = source.lineOf(node.start)
      return declaredNames(declaration).map((name) => ({ name, isType, line }))
    })

/** What only tests call, because it exists to prove something that the service lives by. */
const proofs: Readonly<Record<string, string>> = {
  'src/domain/math/tick-math.ts tickAtSqrtPrice': 'the inverse that proves sqrtPriceAtTick',
  'src/domain/stock/market-holidays.ts holidaysIn':
    'the list that is held against the published ones',
}

type Users = { readonly inCode: boolean; readonly inTests: boolean }

/** Importers by file and name. */
const collectUsers = (sources: readonly Source[]) => {
  const users = new Map<string, Users>()
  for (const source of sources) {
    for (const { target, names } of importsOf(source)) {
      for (const name of target === null ? [] : names) {
        const before = users.get(`${target} ${name}`) ?? { inCode: false, inTests: false }
        const now = source.isTest ? { inTests: true } : { inCode: true }
        users.set(`${target} ${name}`, { ...before, ...now })
      }
    }
  }
  return (path: string, name: string): Users => {
    const named = users.get(`${path} ${name}`)
    const all = users.get(`${path} *`)
    return {
      inCode: named?.inCode === true || all?.inCode === true,
      inTests: named?.inTests === true || all?.inTests === true,
    }
  }
}

/** How often each name stands in the file; its declaration counts as one. */
const countNames = (source: Source): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  walk(source.program, (node) => {
    const name = node.type === 'Identifier' ? nameOf(node) : null
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1)
  })
  return counts
}

const faultOf = (each: Export, users: Users, usedInside: boolean): string | null => {
  if (users.inCode) return null
  if (each.isType) {
    return users.inTests || usedInside ? null : `the type ${each.name} is unused`
  }
  if (!users.inTests) {
    return usedInside
      ? `${each.name} is exported, but no file imports it`
      : `${each.name} is unused`
  }
  return usedInside ? null : `${each.name} is used by tests only`
}

/** Unneeded exports. A value that only tests import is allowed if its own file uses it. */
export const exportViolations = (sources: readonly Source[]): readonly Violation[] => {
  const usersOf = collectUsers(sources)
  const ours = sources.filter(
    ({ path, isTest }) =>
      /^(src|sandbox|dashboard)\//.test(path) && !isTest && !entryPoints.test(path),
  )
  return ours.flatMap((source) => {
    const counts = countNames(source)
    return exportsOf(source).flatMap((each) => {
      const usedInside = (counts.get(each.name) ?? 0) > 1
      const what = faultOf(each, usersOf(source.path, each.name), usedInside)
      const isProof = proofs[`${source.path} ${each.name}`] !== undefined
      return what === null || isProof ? [] : [{ path: source.path, line: each.line, what }]
    })
  })
}
