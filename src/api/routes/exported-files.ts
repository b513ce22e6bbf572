import type { ExportedFile } from '../../domain/history/exported-file.ts'
import { failure, success } from '../../domain/outcome.ts'
import type { ExportedFileView } from '../../domain/views/exported-files.ts'
import { problems } from '../http/problems.ts'
import { ExportedFilesSchema, filesFields } from '../schemas/exported-file.ts'
import { defineEndpoint } from './route.ts'

const toView = ({ path, ...file }: ExportedFile): ExportedFileView => ({
  ...file,
  url: `/api/v1/files/${path}`,
})

export const filesEndpoint = defineEndpoint({
  path: '/api/v1/files',
  operationId: 'listFiles',
  description:
    'Finished files of the export, each with its rows, size and SHA-256. They are ' +
    'replaced only if the chain or the history changes.',
  tag: 'service',
  summary: 'Lists the finished files of the export, newest day first.',
  rateLimited: true,
  queryFields: filesFields,
  schema: ExportedFilesSchema,
  errors: ['export_disabled', 'export_unreadable'],
  answer: async ({ exportedFiles, logger }, { query }) => {
    if (exportedFiles === null) return failure(problems.exportDisabled)
    const listing = await exportedFiles.list()
    if (!listing.ok) {
      logger.warn('Exported files cannot be read', { reason: listing.fault })
      return failure(problems.exportUnreadable)
    }
    const { dataset, format, limit, offset } = query
    const { files = [], chain = null, methodology = null } = listing.value ?? {}
    const matching = files.filter(
      (file) =>
        (dataset === null || file.dataset === dataset) &&
        (format === null || file.format === format),
    )
    return success({
      items: matching.slice(offset, offset + limit).map(toView),
      total: matching.length,
      limit,
      offset,
      chain,
      methodology,
    })
  },
})
