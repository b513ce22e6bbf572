import { Type } from 'typebox'
import {
  type ExportDataset,
  type ExportedFile,
  exportDatasets,
  exportedFilePath,
  exportFormats,
} from '../../domain/history/exported-file.ts'
import { methodologyVersion } from '../../domain/methodology.ts'
import type { ExportedFilesView, ExportedFileView } from '../../domain/views/exported-files.ts'
import type { Field } from '../http/query.ts'
import {
  blockSchema,
  countSchema,
  describes,
  field,
  hashSchema,
  listOf,
  nullable,
  record,
  unixSecondsSchema,
} from './fields.ts'
import { offsetMax } from './page.ts'
import { choiceField, integerField } from './query-fields.ts'

const filesMax = 1000
const filesDefault = 100

const namePattern = /^(\d{4}-\d{2}-\d{2})\.(\w+)$/

export const filesFields = {
  dataset: choiceField('Only files of this dataset.', exportDatasets, null),
  format: choiceField('Only files of this format.', exportFormats, null),
  limit: integerField('Files per page.', { min: 1, max: filesMax }, filesDefault),
  offset: integerField('Files to skip.', { min: 0, max: offsetMax }, 0),
}

export const datasetField: Field<ExportDataset> = {
  description: 'The dataset.',
  rule: `one of ${exportDatasets.join(', ')}`,
  schema: Type.Enum([...exportDatasets]),
  errorCode: 'invalid_parameter',
  parse: (text) => exportDatasets.find((dataset) => dataset === text),
}

type FileName = Pick<ExportedFile, 'day' | 'format'>

export const fileNameField: Field<FileName> = {
  description: 'The UTC day, a dot and the format.',
  rule: `a UTC day and one of ${exportFormats.map((format) => `.${format}`).join(', ')}`,
  schema: Type.String({
    pattern: `^[0-9]{4}-[0-9]{2}-[0-9]{2}\\.(${exportFormats.join('|')})$`,
  }),
  errorCode: 'invalid_parameter',
  parse: (text) => {
    const [, day, ending] = namePattern.exec(text) ?? []
    const format = exportFormats.find((known) => known === ending)
    return day === undefined || format === undefined ? undefined : { day, format }
  },
}

const BlockRefSchema = record('A block.', {
  number: field(blockSchema, 'Number of the block.', 24_880_412),
  hash: field(
    nullable(hashSchema),
    'Hash of the block; null if it was no longer kept.',
    `0x${'5c'.repeat(32)}`,
  ),
})

const blockRef = (meaning: string) => field(nullable(BlockRefSchema), meaning, null)

const exampleFile = { dataset: 'swaps', day: '2026-11-21', format: 'parquet' } as const

export const ExportedFileSchema = describes<ExportedFileView>()(
  record('One finished file: a dataset, a UTC day and a format.', {
    dataset: field(Type.Enum([...exportDatasets]), 'The dataset.', exampleFile.dataset),
    day: field(Type.String(), 'UTC day of the rows.', exampleFile.day),
    format: field(Type.Enum([...exportFormats]), 'Format of the file.', exampleFile.format),
    url: field(
      Type.String(),
      'Path of the download on this service.',
      `/api/v1/files/${exportedFilePath(exampleFile)}`,
    ),
    rows: field(countSchema, 'Rows of the file.', 412_077),
    bytes: field(
      Type.Integer({ minimum: 0, 'x-unit': 'bytes' }),
      'Length of the file.',
      51_203_118,
    ),
    sha256: field(
      Type.String({ pattern: '^[0-9a-f]{64}$' }),
      'SHA-256 of the file, which is also the tag of the download.',
      'ab'.repeat(32),
    ),
    fromBlock: blockRef('First block with a row; null if there is none.'),
    toBlock: blockRef('Last block with a row; null if there is none.'),
    createdTs: field(unixSecondsSchema, 'When the file was finished.', 1_795_305_600),
  }),
)

const ChainSchema = record('A chain.', {
  chainId: field(Type.Integer({ minimum: 0, 'x-unit': 'EIP-155 id' }), 'Chain id.', 4663),
  network: field(Type.String(), 'Name of the network file.', 'robinhood'),
  originHash: field(
    nullable(hashSchema),
    'Hash of the first indexed block; null if not known.',
    `0x${'ab'.repeat(32)}`,
  ),
})

const UsedMethodologySchema = record('A methodology.', {
  version: field(Type.String(), 'Its version.', methodologyVersion),
  hash: field(Type.String(), 'Its hash, as in /api/v1/methodology.', `0x${'cd'.repeat(32)}`),
})

export const ExportedFilesSchema = describes<ExportedFilesView>()(
  record('The finished files of the export, newest day first.', {
    items: field(listOf(ExportedFileSchema, filesMax), 'The files of this page.', []),
    total: field(countSchema, 'Matching files on all pages.', 0),
    limit: field(
      Type.Integer({ minimum: 1, maximum: filesMax, 'x-unit': 'rows' }),
      'Requested files per page.',
      filesDefault,
    ),
    offset: field(
      Type.Integer({ minimum: 0, maximum: offsetMax, 'x-unit': 'rows' }),
      'Files skipped before this page.',
      0,
    ),
    chain: field(
      nullable(ChainSchema),
      'Chain of the files; null while nothing is exported.',
      null,
    ),
    methodology: field(
      nullable(UsedMethodologySchema),
      'Methodology of the numbers in the files; null while nothing is exported.',
      null,
    ),
  }),
)
