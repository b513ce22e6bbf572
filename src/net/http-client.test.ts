import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { saying, serve, unreachableUrl } from '../../test/support/net/loopback.ts'
import { createHttpClient, type HttpRequest, hostOf } from './http-client.ts'
import { createBodyBuffer, decodeBody } from './response-body.ts'

/** Where no deadline is the subject none comes, however busy the machine is. */
const get = (url: string, over: Partial<HttpRequest> = {}): HttpRequest => ({
  url,
  method: 'GET',
  deadlineMs: 3_600_000,
  bytesMax: 1000,
  ...over,
})

describe('httpClient, one request', () => {
  it('brings back status and text', async () => {
    const { url, received } = await serve(saying('{"a":"é"}', 201))
    const answer = await createHttpClient()(get(`${url}/x?y=1`, { headers: { accept: 'a/b' } }))
    expect(answer).toMatchObject({ ok: true, value: { status: 201, retryAfterSeconds: null } })
    expect(answer.ok && decodeBody(answer.value.body)).toBe('{"a":"é"}')
    expect(received[0]?.path).toBe('/x?y=1')
    expect(received[0]?.headers).toMatchObject({
      accept: 'a/b',
      'user-agent': expect.stringContaining('Mozilla/5.0'),
    })
  })

  it('posts a body', async () => {
    const { url, received } = await serve(saying('ok'))
    await createHttpClient()(get(url, { method: 'POST', body: '[1]' }))
    expect(received[0]).toMatchObject({ method: 'POST', body: '[1]' })
  })

  it('sends credentials of the address as a header, because fetch refuses them there', async () => {
    const { url, received } = await serve(saying('ok'))
    await createHttpClient()(get(url.replace('//', '//me:p%40ss@')))
    expect(received[0]?.headers.authorization).toBe(`Basic ${btoa('me:p@ss')}`)
  })

  it('unpacks a packed body, whose pieces are its own', async () => {
    const text = JSON.stringify(Array.from({ length: 50_000 }, (_, i) => i))
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text))
    })
    const gather = createBodyBuffer()
    for (let times = 0; times < 2; times++) {
      const answer = await createHttpClient()(get(url, { bytesMax: 1e6 }))
      expect(answer.ok && gather(answer.value.body).toString()).toBe(text)
    }
  })

  it('puts letters together that a chunk boundary cut in two', async () => {
    const bytes = Buffer.from('€uro')
    const { url } = await serve(async (_, response) => {
      response.write(bytes.subarray(0, 1))
      await new Promise((later) => setTimeout(later, 20))
      response.end(bytes.subarray(1))
    })
    const answer = await createHttpClient()(get(url))
    expect(answer.ok && decodeBody(answer.value.body)).toBe('€uro')
  })

  it.each([
    ['7', undefined, 7],
    ['0', undefined, 0],
    ['Wed, 21 Oct 2026 07:28:30 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT', 30],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 'Wed, 21 Oct 2026 07:28:00 GMT', 0],
    ['soon', undefined, null],
    ['-5', undefined, null],
  ])('Retry-After %s with Date %s means %s seconds', async (text, date, seconds) => {
    const headers = { 'retry-after': text, ...(date === undefined ? {} : { date }) }
    const { url } = await serve(saying('slow down', 429, headers))
    expect(await createHttpClient()(get(url))).toMatchObject({
      ok: true,
      value: { status: 429, retryAfterSeconds: seconds },
    })
  })
})

describe('httpClient, what goes wrong is a fault and never an exception', () => {
  it('reports an unreachable host', async () => {
    expect(await createHttpClient()(get(unreachableUrl))).toEqual({
      ok: false,
      fault: {
        kind: 'unreachable',
        detail: expect.stringMatching(/^connection failed( \(\w+\))?$/),
      },
    })
  })

  it.each(['not a url', 'http://', 'ftp://host/x'])('the address is %s', async (url) => {
    expect(await createHttpClient()(get(url))).toMatchObject({ fault: { kind: 'unreachable' } })
  })

  it('headers come, then the body drips for ever: the deadline covers the body', async () => {
    const gone = Promise.withResolvers<void>()
    const { url } = await serve((_, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => {
        clearInterval(drip)
        gone.resolve()
      })
    })
    const answer = await createHttpClient()(get(url, { deadlineMs: 150 }))
    expect(answer).toMatchObject({ fault: { kind: 'timeout' } })
    await gone.promise
  })

  it('nothing comes at all', async () => {
    const { url } = await serve(() => {})
    const answer = await createHttpClient()(get(url, { deadlineMs: 100 }))
    expect(answer).toMatchObject({ fault: { kind: 'timeout' } })
  })

  it('an answer that came while this process was suspended is not late', async () => {
    const { url } = await serve((_, response) => {
      response.end('here')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_200)
    })
    const answer = await createHttpClient()(get(url, { deadlineMs: 2_000 }))
    expect(answer).toMatchObject({ ok: true })
  })

  it('the body is longer than allowed, and is not read to its end', async () => {
    let sent = 0
    const { url } = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed && sent < 500e6) {
          sent += 65_536
          if (!response.write(Buffer.alloc(65_536, 'x'))) return
        }
      }
      response.on('drain', more)
      more()
    })
    const answer = await createHttpClient()(get(url, { bytesMax: 100_000 }))
    expect(answer).toMatchObject({ fault: { kind: 'too-large' } })
    expect(sent).toBeLessThan(50e6)
  })

  it('a small packed body unfolds to a long one', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, 'x'))
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    const answer = await createHttpClient()(get(url, { bytesMax: 100_000 }))
    expect(answer).toMatchObject({ fault: { kind: 'too-large' } })
  })

  it('the connection is cut in the middle of the body', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"half":')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await createHttpClient()(get(url))).toMatchObject({ fault: { kind: 'unreachable' } })
  })

  it('redirects are refused, wherever they lead', async () => {
    const target = await serve(saying('secret'))
    const { url } = await serve(saying('', 302, { location: target.url }))
    expect(await createHttpClient()(get(url))).toMatchObject({ fault: { kind: 'unreachable' } })
    expect(target.received).toHaveLength(0)
  })

  it('a stop ends what is in flight, and what comes after', async () => {
    const stop = new AbortController()
    const httpClient = createHttpClient({ signal: stop.signal })
    const { url } = await serve(() => {})
    setTimeout(() => stop.abort(), 50)
    const stopped = { ok: false, fault: { kind: 'unreachable', detail: 'shutting down' } }
    expect(await httpClient(get(url))).toEqual(stopped)
    expect(await httpClient(get(url))).toEqual(stopped)
  })
})

it('a hundred at once leave nothing behind at the signal that stops them', async () => {
  const warnings: string[] = []
  const warned = (warning: Error) => warnings.push(warning.message)
  process.on('warning', warned)
  const { url } = await serve(saying('ok'))
  const httpClient = createHttpClient({ signal: new AbortController().signal })
  const answers = await Promise.all(Array.from({ length: 100 }, () => httpClient(get(url))))
  await new Promise((later) => setTimeout(later, 10))
  process.off('warning', warned)
  expect(answers.every((answer) => answer.ok)).toBe(true)
  expect(warnings).toEqual([])
})

describe('faults contain only the host of a URL', () => {
  const canary = 'CANARY5f3759df'
  const addresses = [
    `http://user:${canary}@127.0.0.1:9/${canary}?key=${canary}`,
    `http://${canary}.invalid:9/${canary}`,
    `ftp://127.0.0.1/${canary}`,
    `${canary}`,
  ]
  it.each(addresses)('%s', async (url) => {
    const answer = await createHttpClient()(get(url))
    expect(answer.ok).toBe(false)
    expect(JSON.stringify(answer)).not.toContain(canary)
  })

  it('hostOf', () => {
    expect(hostOf(`https://user:${canary}@host:1/${canary}?${canary}`)).toBe('host:1')
    expect(hostOf(canary)).toBe('malformed URL')
  })
})
