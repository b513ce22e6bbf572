import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import { type ExportFormat, exportedFilePath } from '../../domain/history/exported-file.ts'
import type { OpenExportedFile } from '../../ports/exported-files.ts'
import { parseRange } from '../http/byte-range.ts'
import { cacheControls } from '../http/headers.ts'
import { type Problem, problems } from '../http/problems.ts'
import { parsePath, parseQuery } from '../http/query.ts'
import { targetQuery } from '../http/request-target.ts'
import { matchesEtag, type RawExchange, rejectExchange } from '../http/send-response.ts'
import { datasetField, fileNameField } from '../schemas/exported-file.ts'
import type { RawRoute, RouteContext } from './route.ts'

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  parquet: 'application/vnd.apache.parquet',
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
}

const pathFields = { dataset: datasetField, file: fileNameField }

/** Opens the file that the path names, or returns why not. */
const openFile = async (
  { request, params }: RawExchange,
  { exportedFiles, logger }: RouteContext,
): Promise<OpenExportedFile | Problem> => {
  const path = parsePath(pathFields, params)
  if (!path.ok) return path.fault
  const query = parseQuery({}, targetQuery(request.url ?? ''))
  if (!query.ok) return query.fault
  if (exportedFiles === null) return problems.exportDisabled
  const { dataset, file } = path.value
  const opened = await exportedFiles.open(exportedFilePath({ dataset, ...file }))
  if (opened.ok) return opened.value ?? problems.fileNotFound
  logger.warn('Exported files cannot be read', { reason: opened.fault })
  return problems.exportUnreadable
}

/** If-Range (RFC 9110 §13.1.5): a range of other bytes would complete the wrong file. */
const findRange = ({ method, headers }: IncomingMessage, etag: string, bytes: number) => {
  const isCurrent = headers['if-range'] === undefined || headers['if-range'] === etag
  return method === 'GET' && isCurrent ? parseRange(headers.range, bytes) : null
}

/** Sends the file or the requested part of it; rejects if the client or the file went away. */
const sendFile = async (exchange: RawExchange, { file, read }: OpenExportedFile): Promise<void> => {
  const { request, response, headers: own } = exchange
  const { bytes, dataset, day, format } = file
  const etag = `"${file.sha256}"`
  const shared = { ...own, 'cache-control': cacheControls.document, etag }
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, shared).end()
    return
  }
  const range = findRange(request, etag, bytes)
  if (range === 'unsatisfiable') {
    rejectExchange(exchange, problems.rangeNotSatisfiable(bytes))
    return
  }
  const { start, end } = range ?? { start: 0, end: bytes }
  response.writeHead(range === null ? 200 : 206, {
    ...shared,
    'accept-ranges': 'bytes',
    'content-type': contentTypes[format],
    'content-disposition': `attachment; filename="${dataset}-${day}.${format}"`,
    'content-length': String(end - start),
    ...(range === null ? {} : { 'content-range': `bytes ${start}-${end - 1}/${bytes}` }),
  })
  if (request.method === 'HEAD') response.end()
  else await pipeline(Readable.from(read(start, end)), response)
}

const handle = async (exchange: RawExchange, context: RouteContext): Promise<void> => {
  const opened = await openFile(exchange, context)
  if ('code' in opened) {
    rejectExchange(exchange, opened)
    return
  }
  try {
    await sendFile(exchange, opened)
  } finally {
    await opened.close()
  }
}

const hasLeft = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'

const ranges = {
  '206': {
    description: 'The requested part (Range, If-Range); several ranges are answered by 200.',
  },
  '304': { description: 'The client already has this file (If-None-Match).' },
}

/** The bytes of exported files, whole or in part (RFC 9110 §14). */
export const fileRoute: RawRoute = {
  path: '/api/v1/files/:dataset/:file',
  summary: 'Downloads a finished file of the export, whole or a range of its bytes.',
  operationId: 'downloadFile',
  description: 'The bytes of a finished file, whole or in part (`Range`), with its digest.',
  tag: 'service',
  methods: ['GET', 'HEAD'],
  rateLimited: true,
  pathFields,
  queryFields: {},
  body: null,
  reply: {
    types: Object.values(contentTypes),
    description: 'The file. Its tag is the SHA-256 that /api/v1/files lists.',
    schema: Type.String({ contentEncoding: 'binary' }),
  },
  statuses: ranges,
  errors: ['export_disabled', 'file_not_found', 'range_not_satisfiable', 'export_unreadable'],
  open: (context) => ({
    handle: (exchange) => {
      handle(exchange, context).catch((error: unknown) => {
        const { requestId, response } = exchange
        if (!hasLeft(error)) context.logger.error('Download failed', { requestId, error })
        // A cut connection, because a body that ends early must not look whole.
        if (response.headersSent) response.destroy()
        else rejectExchange(exchange, problems.internal)
      })
    },
    close: () => {},
  }),
}
