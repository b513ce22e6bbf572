import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ChainIdentity } from '../domain/chain/chain-identity.ts'
import {
  type ExportedFile,
  exportDatasets,
  exportedFilePath,
  exportFormats,
} from '../domain/history/exported-file.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Hash } from '../domain/units.ts'

/** Below the directory of the export, beside the folders of the datasets. */
export const manifestName = 'manifest.json'

const manifestVersion = 1

/** What the rows of all files of a directory are limited to; null: not limited. */
export type ExportFilter = {
  readonly symbol: string | null
  readonly pool: string | null
}

export const noFilter: ExportFilter = { symbol: null, pool: null }

type MethodologyLabel = { readonly version: string; readonly hash: string }

/** What an export has finished, in any order. Readers ignore keys that they do not know. */
export type ExportManifest = ChainIdentity & {
  readonly version: typeof manifestVersion
  /** Of the newest file. */
  readonly methodology: MethodologyLabel
  /** Missing: none. */
  readonly filter?: ExportFilter
  readonly files: readonly (ExportedFile & { readonly methodology?: MethodologyLabel })[]
}

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const hash = Type.Unsafe<Hash>(Type.String({ pattern: '^0x[0-9a-f]{64}$' }))
const block = Type.Union([
  Type.Object({ number: count, hash: Type.Union([hash, Type.Null()]) }),
  Type.Null(),
])

const methodologyLabel = Type.Object({ version: Type.String(), hash: Type.String() })
const textOrNull = Type.Union([Type.String(), Type.Null()])

const fileSchema = Type.Object({
  dataset: Type.Enum([...exportDatasets]),
  day: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }),
  format: Type.Enum([...exportFormats]),
  path: Type.String(),
  rows: count,
  bytes: count,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  fromBlock: block,
  toBlock: block,
  createdTs: count,
  methodology: Type.Optional(methodologyLabel),
})

const manifestSchema = Type.Object({
  version: Type.Literal(manifestVersion),
  chainId: count,
  network: Type.String(),
  originHash: Type.Union([hash, Type.Null()]),
  methodology: methodologyLabel,
  filter: Type.Optional(Type.Object({ symbol: textOrNull, pool: textOrNull })),
  files: Type.Array(fileSchema),
})

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a schema cannot say: each file is where its dataset, day and format put it, once. */
const findMisplaced = (files: readonly ExportedFile[]): string | null => {
  const seen = new Set<string>()
  for (const [at, file] of files.entries()) {
    const path = exportedFilePath(file)
    if (file.path !== path) return `/files/${at}/path must be ${path}`
    if (seen.has(path)) return `/files/${at} lists ${path} again`
    seen.add(path)
  }
  return null
}

/** The fault completes a sentence that starts with the manifest's name. */
export const parseManifest = (text: string): Outcome<ExportManifest, string> => {
  const json = parseJson(text)
  if (json === undefined) return failure('is not valid JSON')
  if (!Value.Check(manifestSchema, json)) {
    const [error] = Value.Errors(manifestSchema, json)
    const at = error === undefined || error.instancePath === '' ? '' : `${error.instancePath} `
    return failure(`is invalid: ${at}${error?.message ?? ''}`)
  }
  const misplaced = findMisplaced(json.files)
  return misplaced === null ? success(json) : failure(`is invalid: ${misplaced}`)
}
