import { type Import, importsOf, packageOf } from './imports.ts'
import type { Source, Violation } from './source.ts'

/** What a part of the house may import besides itself (docs/architecture.md). */
type Layer = {
  readonly at: string
  readonly layers: readonly string[]
  readonly packages: readonly string[]
  /** Modules of Node, without `node:`; `any` for adapters to the outside. */
  readonly node: readonly string[] | 'any'
  readonly typesOnly?: true
  /** Of other parts only types: it runs where they do not. */
  readonly typesOfOthers?: true
}

const apiPackages = ['fastify', 'typebox', '@modelcontextprotocol/sdk', 'prom-client']
const adapter = { layers: ['domain', 'ports', 'util', 'net'], node: 'any' } as const

const layers: readonly Layer[] = [
  { at: 'domain', layers: [], packages: [], node: [] },
  { at: 'util', layers: [], packages: [], node: [] },
  { at: 'ports', layers: ['domain'], packages: [], node: [], typesOnly: true },
  {
    at: 'config',
    layers: ['domain', 'util'],
    packages: ['typebox', '@noble/hashes'],
    node: ['fs', 'net', 'path', 'url', 'util'],
  },
  { at: 'log', layers: ['domain', 'ports', 'util'], packages: ['pino'], node: [] },
  { at: 'indexer', layers: ['domain', 'ports', 'util'], packages: [], node: [] },
  { at: 'net', layers: ['domain', 'ports', 'util'], packages: [], node: 'any' },
  { at: 'rpc', packages: [], ...adapter },
  { at: 'quotes', packages: ['typebox'], ...adapter },
  { at: 'screener', packages: ['typebox'], ...adapter },
  { at: 'store', packages: ['pg'], layers: ['domain', 'ports', 'util'], node: 'any' },
  { at: 'backup', packages: [], layers: ['domain', 'ports', 'util'], node: 'any' },
  {
    at: 'export',
    packages: ['hyparquet', 'hyparquet-writer', 'typebox'],
    layers: ['domain', 'ports', 'util'],
    node: 'any',
  },
  {
    at: 'verify',
    layers: ['domain', 'util', 'net', 'rpc'],
    packages: ['@ethereumjs/mpt', '@ethereumjs/rlp', '@noble/hashes'],
    node: [],
  },
  { at: 'market', layers: ['domain', 'ports', 'util'], packages: [], node: [] },
  {
    at: 'client',
    layers: ['domain', 'api', 'market'],
    packages: [],
    node: [],
    typesOfOthers: true,
  },
  { at: 'api', packages: apiPackages, layers: ['domain', 'ports', 'util', 'market'], node: 'any' },
]

/** The command line puts the parts together, so it may import every one of them. */
const composition = ['cli']

/** `src/domain/units.ts` -> `domain`; `src/ports/chain-reader.ts` -> `ports`. */
const placeOf = (path: string): string | null => /^src\/([^/]+)/.exec(path)?.[1] ?? null

const packageFault = ({ specifier }: Import, layer: Layer): string | null => {
  if (specifier.startsWith('node:')) {
    const name = specifier.slice('node:'.length).split('/')[0] ?? ''
    const allowed = layer.node === 'any' || layer.node.includes(name)
    return allowed ? null : `${layer.at} may not import ${specifier}`
  }
  return layer.packages.includes(packageOf(specifier))
    ? null
    : `${layer.at} may not import the package ${packageOf(specifier)}`
}

const targetFault = ({ target, typeOnly }: Import, layer: Layer): string | null => {
  const place = placeOf(target ?? '')
  if (place === null) return `${layer.at} may not import ${target}`
  if (place !== layer.at && !layer.layers.includes(place)) {
    return `${layer.at} may not import ${place}`
  }
  const isOutside = layer.typesOnly === true || (layer.typesOfOthers === true && place !== layer.at)
  return isOutside && !typeOnly ? `${layer.at} may import types only` : null
}

const srcFault = (each: Import, place: string): string | null => {
  if (composition.includes(place)) return null
  const layer = layers.find(({ at }) => at === place)
  if (layer === undefined) return `no import rule for ${place}`
  return each.target === null ? packageFault(each, layer) : targetFault(each, layer)
}

/** The sandbox stands for itself: it knows the service by its types only. */
const sandboxFault = ({ target, typeOnly }: Import): string | null =>
  placeOf(target ?? '') !== null && !typeOnly ? 'the sandbox may import only types of src' : null

const dashboardPackages = ['preact', 'uplot']

/** The dashboard is a page in a browser: the client is its only way to the service. */
const dashboardFault = ({ specifier, target, typeOnly }: Import): string | null => {
  if (target === null) {
    const isAllowed = dashboardPackages.includes(packageOf(specifier))
    return isAllowed ? null : `the dashboard may not import ${specifier}`
  }
  const isOwn = target.startsWith('dashboard/')
  const isClient = target.startsWith('src/client/')
  return isOwn || isClient || typeOnly ? null : 'the dashboard may import only types of src'
}

const faultOf = (each: Import, source: Source): string | null => {
  const place = placeOf(source.path)
  if (place !== null) return srcFault(each, place)
  if (source.path.startsWith('dashboard/')) return dashboardFault(each)
  return source.path.startsWith('sandbox/') ? sandboxFault(each) : null
}

/** Imports against the direction of the house. Tests may import anything. */
export const layerViolations = (source: Source): readonly Violation[] =>
  source.isTest
    ? []
    : importsOf(source).flatMap((each) => {
        const what = faultOf(each, source)
        return what === null ? [] : [{ path: source.path, line: each.line, what }]
      })
