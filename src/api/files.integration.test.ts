import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportedDirectory, startForTest } from '../../test/support/api/harness.ts'
import { createExportFolder, exportedChain } from '../../test/support/export/export-folder.ts'
import type { ExportedFile } from '../domain/history/exported-file.ts'
import { createExportedFiles } from '../export/exported-files.ts'

/* Exported files over HTTP, as a download manager and an attacker ask for them. */

const csv = '/api/v1/files/swaps/2026-11-21.csv'
const day = { dataset: 'swaps', day: '2026-11-21', format: 'parquet' } as const
const parquet = '/api/v1/files/swaps/2026-11-21.parquet'

const startWith = (directory: string) =>
  startForTest({ exportedFiles: createExportedFiles({ directory, chainId: 4663 }) })

/** A folder with one listed file of these bytes, and its service. */
const startWithFile = async (bytes: Buffer) => {
  const made = createExportFolder()
  const file = made.write(day, bytes)
  made.list(made.manifest([file]))
  return { ...made, file, whole: made.pathOf(file), server: await startWith(made.folder) }
}

describe('the list of files', () => {
  it('is ordered by day, newest first, with the chain and the methodology', async () => {
    const server = await startForTest()
    const listed = (await server.request('/api/v1/files')).json()
    expect(listed.items.map(({ url }: { url: string }) => url)).toEqual([
      '/api/v1/files/stocks/2026-11-21.csv',
      '/api/v1/files/swaps/2026-11-21.csv',
      '/api/v1/files/swaps/2026-11-21.ndjson',
      '/api/v1/files/swaps/2026-11-20.csv',
      '/api/v1/files/swaps/2026-11-20.ndjson',
    ])
    expect(listed).toMatchObject({ total: 5, limit: 100, offset: 0, chain: { chainId: 4663 } })
    expect(listed.methodology.version).toBe('1.2.0')
    for (const { url, sha256, bytes } of listed.items) {
      const { text, headers } = await server.request(url)
      expect([Buffer.byteLength(text), headers.etag]).toEqual([bytes, `"${sha256}"`])
      expect(createHash('sha256').update(text).digest('hex')).toBe(sha256)
    }
  })

  it('takes filters and pages', async () => {
    const server = await startForTest()
    const read = async (query: string) => (await server.request(`/api/v1/files?${query}`)).json()
    expect(await read('dataset=swaps&format=csv&limit=1&offset=1')).toMatchObject({
      items: [{ day: '2026-11-20', dataset: 'swaps', format: 'csv', rows: 20 }],
      total: 2,
    })
    expect(await read('dataset=pools')).toMatchObject({ items: [], total: 0 })
    expect(await read('dataset=swap')).toMatchObject({ error: { param: 'dataset' } })
    expect(await read('limit=1001')).toMatchObject({ error: { param: 'limit' } })
  })

  it('is 404 without --export-dir, as each file is', async () => {
    const server = await startForTest({ exportedFiles: null })
    for (const path of ['/api/v1/files', csv]) {
      const reply = await server.request(path)
      expect([reply.status, reply.json().error]).toEqual([
        404,
        { code: 'export_disabled', message: 'this service has no --export-dir' },
      ])
    }
  })

  it('is empty before the first export, and follows the manifest', async () => {
    const made = createExportFolder()
    const server = await startWith(join(made.folder, 'later'))
    const nothing = { items: [], total: 0, chain: null, methodology: null }
    expect((await server.request('/api/v1/files')).json()).toMatchObject(nothing)
    mkdirSync(join(made.folder, 'later'))
    expect((await server.request('/api/v1/files')).json()).toMatchObject(nothing)
    const { server: other, list, manifest, write, file } = await startWithFile(Buffer.from('1'))
    expect((await other.request('/api/v1/files')).json()).toMatchObject({ total: 1 })
    list(manifest([file, write({ ...day, day: '2026-11-22' }, Buffer.from('22'))]))
    expect((await other.request('/api/v1/files')).json()).toMatchObject({
      total: 2,
      items: [{ day: '2026-11-22' }, { day: '2026-11-21' }],
    })
    expect((await other.request(parquet.replace('21', '22'))).text).toBe('22')
  })

  it.each<readonly [string, (manifest: object, file: ExportedFile) => unknown, string]>([
    ['no JSON', () => '{"version":1', 'is not valid JSON'],
    ['another JSON', () => [1], 'is invalid'],
    ['a newer version', (manifest) => ({ ...manifest, version: 2 }), 'is invalid: /version'],
    [
      'another chain',
      (manifest) => ({ ...manifest, chainId: 1 }),
      'is of chain 1, this service is',
    ],
    [
      'a path outside',
      (manifest, file) => ({ ...manifest, files: [{ ...file, path: '../../etc/passwd' }] }),
      'is invalid: /files/0/path must be swaps/2026-11-21.parquet',
    ],
    [
      'a day outside',
      (manifest, file) => ({
        ...manifest,
        files: [{ ...file, day: '../2026', path: 'swaps/../2026.parquet' }],
      }),
      'is invalid: /files/0/day',
    ],
    [
      'a file twice',
      (manifest, file) => ({ ...manifest, files: [file, file] }),
      'is invalid: /files/1 lists swaps/2026-11-21.parquet again',
    ],
    [
      'a short checksum',
      (manifest, file) => ({ ...manifest, files: [{ ...file, sha256: 'ab' }] }),
      'is invalid: /files/0/sha256',
    ],
  ])('is 503 for a manifest with %s', async (_what, change, reason) => {
    const { server, list, manifest, file, folder } = await startWithFile(Buffer.from('1'))
    list(change(manifest([file]), file))
    for (const path of ['/api/v1/files', parquet]) {
      const reply = await server.request(path)
      expect([reply.status, reply.json().error.code]).toEqual([503, 'export_unreadable'])
      expect(reply.headers['retry-after']).toBe('5')
      expect(reply.text).not.toContain(folder)
      expect(JSON.stringify(server.logged.at(-1))).toContain(reason)
    }
  })
})

const text = 'abcdefghij'

describe('a download', () => {
  it('has the type, the tag and the length of the file, for GET and HEAD', async () => {
    const { server, file } = await startWithFile(Buffer.from(text))
    const { headers, status, text: body } = await server.request(parquet)
    expect([status, body]).toEqual([200, text])
    expect(headers).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-length': '10',
      'content-disposition': 'attachment; filename="swaps-2026-11-21.parquet"',
      'cache-control': 'public, max-age=300',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      etag: `"${file.sha256}"`,
    })
    expect(headers['access-control-expose-headers']).toContain('Content-Range')
    const head = await server.request(parquet, { method: 'HEAD', headers: { range: 'bytes=0-1' } })
    expect([head.status, head.text]).toEqual([200, ''])
    expect({ ...head.headers, date: '' }).toEqual({ ...headers, date: '' })
  })

  it.each([
    ['csv', 'text/csv; charset=utf-8'],
    ['ndjson', 'application/x-ndjson'],
  ])('of %s is %s', async (format, type) => {
    const server = await startForTest()
    const { headers, text: body } = await server.request(csv.replace('csv', format))
    expect(headers['content-type']).toBe(type)
    expect(body).toBe(await readFile(join(exportedDirectory, `swaps/2026-11-21.${format}`), 'utf8'))
  })

  it.each([
    ['bytes=0-0', 'a', '0-0'],
    ['bytes=2-4', 'cde', '2-4'],
    ['bytes=7-', 'hij', '7-9'],
    ['bytes=-3', 'hij', '7-9'],
    ['bytes=-99', text, '0-9'],
    ['bytes=0-99999999999999999999', text, '0-9'],
    ['Bytes= 9-9', 'j', '9-9'],
  ])('answers %s with that part', async (range, part, place) => {
    const { server, file } = await startWithFile(Buffer.from(text))
    for (const ifRange of [{}, { 'if-range': `"${file.sha256}"` }]) {
      const reply = await server.request(parquet, { headers: { range, ...ifRange } })
      expect([reply.status, reply.text]).toEqual([206, part])
      expect(reply.headers).toMatchObject({
        'content-range': `bytes ${place}/10`,
        'content-length': String(part.length),
        etag: `"${file.sha256}"`,
      })
    }
  })

  it.each([
    ...['bytes=4-2', 'bytes=', 'bytes=-', 'bytes=a-b', 'lines=0-1', 'bytes 0-1', 'bytes=0-1,3-4'],
    ...['bytes=0x1-2', 'bytes=1.5-2', 'bytes=+1-2', 'bytes=0-1;'],
  ])('answers %s with the whole file', async (range) => {
    const { server } = await startWithFile(Buffer.from(text))
    const reply = await server.request(parquet, { headers: { range } })
    expect([reply.status, reply.text, reply.headers['content-range']]).toEqual([
      200,
      text,
      undefined,
    ])
  })

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('refuses %s with 416', async (range) => {
    const { server } = await startWithFile(Buffer.from(text))
    const reply = await server.request(parquet, { headers: { range } })
    expect([reply.status, reply.json().error.code]).toEqual([416, 'range_not_satisfiable'])
    expect(reply.headers['content-range']).toBe('bytes */10')
  })

  it.each(['"other"', 'W/"x"', 'Sat, 21 Nov 2026 00:00:00 GMT', ''])(
    'sends the whole file to If-Range %j',
    async (ifRange) => {
      const { server } = await startWithFile(Buffer.from(text))
      const headers = { range: 'bytes=2-4', 'if-range': ifRange }
      expect((await server.request(parquet, { headers })).status).toBe(200)
    },
  )

  it('is 304 for the bytes that a client has, also of a range', async () => {
    const { server, file } = await startWithFile(Buffer.from(text))
    const headers = { 'if-none-match': `"x", "${file.sha256}"`, range: 'bytes=0-1' }
    const reply = await server.request(parquet, { headers })
    expect([reply.status, reply.text, reply.headers.etag]).toEqual([304, '', `"${file.sha256}"`])
  })

  it('of no bytes is empty, and has no range', async () => {
    const { server } = await startWithFile(Buffer.alloc(0))
    const whole = await server.request(parquet)
    expect([whole.status, whole.text, whole.headers['content-length']]).toEqual([200, '', '0'])
    const part = await server.request(parquet, { headers: { range: 'bytes=0-0' } })
    expect(part.status).toBe(416)
  })

  it('takes no parameters and no other methods', async () => {
    const { server } = await startWithFile(Buffer.from(text))
    const asked = await server.request(`${parquet}?x=1`)
    expect(asked.json().error).toMatchObject({ code: 'unknown_parameter', param: 'x' })
    const posted = await server.request(parquet, { method: 'POST', body: 'x' })
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})

describe('a path', () => {
  it.each([
    ...['../manifest.json', '..%2fmanifest.json', '%2e%2e/manifest.json', '%2e%2e%2fmanifest.json'],
    ...['manifest.json', 'swaps/manifest.json', 'swaps/..%2fmanifest.json', './manifest.json'],
    ...[
      'swaps/..%2f..%2f..%2fetc%2fpasswd',
      '../../../../etc/passwd',
      '/etc/passwd',
      '%2fetc/passwd',
    ],
    ...['swaps/%2e%2e%5cmanifest.json', 'swaps\\2026-11-21.parquet', 'swaps/2026-11-21.parquet%00'],
    ...[
      'swaps/2026-11-21.parquet%00.csv',
      'swaps/%252e%252e%252fmanifest.json',
      'swaps/.',
      'swaps/',
    ],
    ...['swaps%2f2026-11-21.parquet', 'swaps/2026-11-21.parquet/', 'swaps//2026-11-21.parquet'],
    ...['SWAPS/2026-11-21.parquet', 'swaps/2026-11-21.PARQUET', 'swaps/2026-11-21.parquet.partial'],
    ...['swaps/2026-11-20.parquet', 'swaps/2026-11-19.csv', 'constructor/2026-11-21.csv'],
    ...['swaps/2026-11-21.__proto__', 'swaps/%ff.csv', 'swaps/%zz', 'swaps/２026-11-21.parquet'],
  ])('%s leads to no file', async (path) => {
    const { server, folder, write } = await startWithFile(Buffer.from(text))
    // An export that is not finished, beside the listed one.
    write({ ...day, day: '2026-11-20' }, Buffer.from('unlisted'))
    const reply = await server.raw(
      `GET /api/v1/files/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
    expect(reply.text).toMatch(/^HTTP\/1\.1 (400|404) /)
    for (const secret of [text, 'unlisted', 'root:', '"methodology"', folder]) {
      expect(reply.text).not.toContain(secret)
    }
  })

  it.each<readonly [string, (whole: string) => void, string]>([
    ['is missing', (whole) => rmSync(whole), 'missing'],
    [
      'is a symbolic link',
      (whole) => {
        renameSync(whole, `${whole}.real`)
        symlinkSync(`${whole}.real`, whole)
      },
      'a symbolic link',
    ],
    [
      'is in a linked folder',
      (whole) => {
        const folder = join(whole, '..')
        renameSync(folder, `${folder}.real`)
        symlinkSync(`${folder}.real`, folder)
      },
      'a symbolic link',
    ],
    [
      'is a folder',
      (whole) => {
        rmSync(whole)
        mkdirSync(whole)
      },
      'not a file',
    ],
    [
      'is a pipe',
      (whole) => {
        rmSync(whole)
        execFileSync('mkfifo', [whole])
      },
      'not a file',
    ],
    ['became shorter', (whole) => truncateSync(whole, 9), '9 bytes long, its manifest says 10'],
    ['became longer', (whole) => writeFileSync(whole, `${text}k`), '11 bytes long'],
    ['has other bytes', (whole) => writeFileSync(whole, 'ABCDEFGHIJ'), 'other bytes than'],
  ])('whose file %s is 503', async (_what, change, reason) => {
    const { server, whole, folder } = await startWithFile(Buffer.from(text))
    expect((await server.request(parquet)).status).toBe(200)
    change(whole)
    for (const method of ['GET', 'HEAD']) {
      const reply = await server.request(parquet, { method })
      expect(reply.status).toBe(503)
      expect(reply.text).not.toContain(folder)
      expect(JSON.stringify(server.logged.at(-1))).toContain(`${whole}: ${reason}`)
    }
  })
})

describe('a file that is served', () => {
  const large = Buffer.alloc(32 * 1024 * 1024, 'stockpools ')

  /** Reads a little, lets `change` happen, reads the rest. */
  const downloadWhile = async (port: number, change: () => void) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path: parquet, agent: false }, resolve).on('error', reject)
    })
    const hash = createHash('sha256')
    let bytes = 0
    let isChanged = false
    try {
      for await (const chunk of response) {
        hash.update(chunk)
        bytes += chunk.length
        if (!isChanged) change()
        isChanged = true
      }
    } catch {
      // The connection was cut.
    }
    const length = Number(response.headers['content-length'])
    return { isComplete: response.complete, bytes, length, sha256: hash.digest('hex') }
  }

  it('arrives whole', async () => {
    const { server, file } = await startWithFile(large)
    const got = await downloadWhile(server.port, () => {})
    expect(got).toMatchObject({ isComplete: true, bytes: large.length, sha256: file.sha256 })
  })

  it('arrives whole when an export replaces it', async () => {
    const { server, file, whole } = await startWithFile(large)
    const got = await downloadWhile(server.port, () => {
      writeFileSync(`${whole}.partial`, 'new')
      renameSync(`${whole}.partial`, whole)
    })
    expect(got).toMatchObject({ isComplete: true, sha256: file.sha256 })
  })

  it.each<readonly [string, (whole: string) => void]>([
    ['shrinks', (whole) => truncateSync(whole, 1000)],
    ['grows', (whole) => writeFileSync(whole, 'x', { flag: 'a' })],
    ['changes', (whole) => writeFileSync(whole, Buffer.alloc(large.length, 'other'))],
  ])('is cut off when it %s', async (_what, change) => {
    const { server, whole } = await startWithFile(large)
    const got = await downloadWhile(server.port, () => change(whole))
    expect(got.isComplete).toBe(false)
    expect(got.bytes).toBeLessThan(got.length)
    await expect.poll(() => server.logged.at(-1)?.message).toBe('Download failed')
  })

  it('does not trouble the log when the client leaves', async () => {
    const { server } = await startWithFile(large)
    await new Promise<void>((resolve) => {
      const asking = get({ host: '127.0.0.1', port: server.port, path: parquet }, (response) => {
        response.once('data', () => {
          asking.destroy()
          resolve()
        })
      })
      asking.on('error', () => {})
    })
    expect((await server.request('/api/v1/files')).status).toBe(200)
    expect(server.logged).toEqual([])
  })
})

it('files of the manifest are of the chain that they say', async () => {
  const { server } = await startWithFile(Buffer.from(text))
  expect((await server.request('/api/v1/files')).json().chain).toEqual(exportedChain)
})
