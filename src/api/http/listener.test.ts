import { expect, test } from 'vitest'
import { startForTest } from '../../../test/support/api/harness.ts'
import { serverLimits } from './limits.ts'

const { waitingRequestsMax } = serverLimits
const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

test.each([
  ['one more than fits', waitingRequestsMax + 2],
  ['many more', waitingRequestsMax + 400],
])('pipelining %s: answers the first in order, then ends the connection', async (_, count) => {
  const { raw, request: ask } = await startForTest()
  const { text } = await raw(request.repeat(count))
  const replies = text.split(/(?=HTTP\/1\.1 )/)
  expect(replies).toHaveLength(waitingRequestsMax + 1)
  expect(replies.filter((reply) => !reply.startsWith('HTTP/1.1 200 OK'))).toEqual([])
  const closing = replies.filter((reply) => /^connection: close\r$/im.test(reply))
  expect(closing).toEqual(replies.slice(-1))
  expect((await ask('/healthz')).status).toBe(200)
})

test('disconnects a flood of pipelined requests', async () => {
  const { port, raw } = await startForTest({ limits: { waitingRequestsMax: 2 } })
  expect(port).toBeGreaterThan(0)
  const { text } = await raw(request.repeat(1000)).catch(() => ({ text: '' }))
  expect(text.split('HTTP/1.1 200').length).toBeLessThan(5)
})
