import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type ChainIdentity, isSameChain } from '../domain/chain/chain-identity.ts'
import { type ExportedFile, exportedFilePath } from '../domain/history/exported-file.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import {
  type ExportFilter,
  type ExportManifest,
  manifestName,
  noFilter,
  parseManifest,
} from './manifest.ts'
import { currentMethodology } from './methodology-label.ts'
import { replaceFile } from './output-file.ts'

/** A directory and the files that its manifest lists. */
export type ExportDirectory = {
  readonly path: string
  /** The finished file as it is on the disk; null if it is not listed or not as listed. */
  readonly find: (
    file: Pick<ExportedFile, 'dataset' | 'day' | 'format'>,
    check: 'size' | 'content',
  ) => ExportedFile | null
  /** Lists a file that is in its place. */
  readonly add: (file: ExportedFile) => void
}

const emptyManifest = (chain: ChainIdentity, filter: ExportFilter): ExportManifest => ({
  version: 1,
  ...chain,
  methodology: currentMethodology(),
  filter,
  files: [],
})

const describeFilter = ({ symbol, pool }: ExportFilter): string => {
  const parts = [symbol === null ? '' : `--symbol ${symbol}`, pool === null ? '' : `--pool ${pool}`]
  return parts.filter((part) => part !== '').join(' ') || 'no filter'
}

const readManifest = (path: string): Outcome<ExportManifest | null, string> => {
  const name = join(path, manifestName)
  if (!existsSync(name)) return success(null)
  const parsed = parseManifest(readFileSync(name, 'utf8'))
  return parsed.ok ? parsed : failure(`${name} ${parsed.fault}`)
}

const findConflict = (
  manifest: ExportManifest,
  chain: ChainIdentity,
  filter: ExportFilter,
): string | null => {
  if (!isSameChain(manifest, chain)) {
    return `holds files of another chain (${manifest.network}, ${manifest.chainId})`
  }
  const held = manifest.filter ?? noFilter
  return held.symbol === filter.symbol && held.pool === filter.pool
    ? null
    : `holds files with ${describeFilter(held)}, expected a directory of its own for ` +
        describeFilter(filter)
}

const hashFile = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex')

/** Opens a locked directory. Refuses one with files of another chain or another filter. */
export const openExportDirectory = (
  path: string,
  chain: ChainIdentity,
  filter: ExportFilter,
): Outcome<ExportDirectory, string> => {
  const read = readManifest(path)
  if (!read.ok) return read
  let manifest = read.value ?? emptyManifest(chain, filter)
  const conflict = findConflict(manifest, chain, filter)
  if (conflict !== null) return failure(`${path} ${conflict}`)
  return success({
    path,
    find: (wanted, check) => {
      const listed = manifest.files.find((file) => file.path === exportedFilePath(wanted))
      if (listed === undefined) return null
      const name = join(path, listed.path)
      if (statSync(name, { throwIfNoEntry: false })?.size !== listed.bytes) return null
      return check === 'size' || hashFile(name) === listed.sha256 ? listed : null
    },
    add: (file) => {
      const methodology = currentMethodology()
      const others = manifest.files.filter(({ path: other }) => other !== file.path)
      manifest = {
        ...manifest,
        ...chain,
        methodology,
        files: [...others, { ...file, methodology }],
      }
      replaceFile(join(path, manifestName), `${JSON.stringify(manifest, null, 1)}\n`)
    },
  })
}
