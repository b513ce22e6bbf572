import { childAt, type Node, nameOf, type Source, type Violation, walk } from './source.ts'

type Owned = { readonly files: readonly string[]; readonly why: string }

/** Globals that only one file per concern may use; other files receive them as arguments. */
const owners: Readonly<Record<string, Owned>> = {
  'Date.now': {
    files: ['src/cli/clock.ts', 'sandbox/clock.ts', 'dashboard/live/clock.ts'],
    why: 'the clock is an argument',
  },
  'new Date': { files: ['sandbox/http/issuer.ts'], why: 'times are unix seconds' },
  'Math.random': { files: ['src/cli/compose/adapters.ts'], why: 'chance is an argument' },
  'process.env': { files: ['src/config/user-input.ts'], why: 'settings come from the Config' },
  fetch: {
    files: ['src/net/http-client.ts', 'sandbox/chain/rpc.ts'],
    why: 'requests go out with a deadline and a byte cap',
  },
  'performance.now': { files: ['src/net/timer.ts'], why: 'the clock is an argument' },
  console: { files: [], why: 'messages go through the Logger' },
}

/** Globals that would make the domain depend on more than its arguments. */
const impure = [
  'Buffer',
  'Date',
  'Promise',
  'crypto',
  'fetch',
  'globalThis',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
]

/** `Date.now` for a member, `Date` for the bare name, else null. */
const referenceOf = (node: Node): string | null => {
  if (node.type === 'Identifier') return nameOf(node)
  if (node.type !== 'MemberExpression' || node.computed === true) return null
  const object = nameOf(childAt(node, 'object'))
  const property = nameOf(childAt(node, 'property'))
  return object === null || property === null ? null : `${object}.${property}`
}

/** A name that is only the key of something, or a type, refers to no global. */
const isLabel = (node: Node, parent: Node | null): boolean => {
  if (parent === null || parent.computed === true) return false
  if (parent.type.startsWith('TS') && parent.type !== 'TSNonNullExpression') return true
  return parent.property === node || (parent.key === node && parent.shorthand !== true)
}

const constructed = (node: Node): string | null => {
  const callee = node.type === 'NewExpression' ? nameOf(childAt(node, 'callee')) : null
  return callee === null ? null : `new ${callee}`
}

const ownedFault = (path: string, reference: string): string | null => {
  const owned = Object.hasOwn(owners, reference) ? owners[reference] : undefined
  if (owned === undefined || owned.files.includes(path)) return null
  return `${reference} is used outside its owner: ${owned.why}`
}

const impureFault = (path: string, node: Node, reference: string | null): string | null => {
  if (!path.startsWith('src/domain/')) return null
  if (node.async === true || node.type === 'AwaitExpression') return 'the domain is not async'
  return reference !== null && impure.includes(reference)
    ? `the domain may not use ${reference}`
    : null
}

/** Reads of the clock, chance, environment or network outside of the file that owns them. */
export const ownerViolations = (source: Source): readonly Violation[] => {
  const { path } = source
  if (source.isTest || !/^(src|sandbox|dashboard)\//.test(path)) return []
  const violations: Violation[] = []
  walk(source.program, (node, parent) => {
    const reference = isLabel(node, parent) ? null : (constructed(node) ?? referenceOf(node))
    const owned = reference === null ? null : ownedFault(path, reference)
    const what = owned ?? impureFault(path, node, reference)
    if (what !== null) violations.push({ path, line: source.lineOf(node.start), what })
  })
  return violations
}
