import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerOf, logOf, quantity, word } from '../../test/support/rpc/fake-node.ts'
import { parseJson } from '../net/json.ts'
import { asFastParsedLogs, createResponseParser } from './json-rpc.ts'
import { parseLog } from './parse-log.ts'
import { validateLogs } from './validate-logs.ts'

const parseAnswer = createResponseParser()
const parse = (text: string | Buffer): ReturnType<typeof parseJson> => {
  const json = parseAnswer([Buffer.from(text)])
  return json.ok ? json : { ok: false, fault: 'not-json' }
}
const plainly = (text: string | Buffer) => parseJson(new TextDecoder().decode(Buffer.from(text)))

const answerOf = (logs: string, before = '', after = '') =>
  `[{"jsonrpc":"2.0","id":1,"result":"0x1237"},${before}{"jsonrpc":"2.0","id":2,"result":${logs}}${after}]`
type Item = { id?: unknown; result?: unknown } | null
const itemsIn = (json: ReturnType<typeof parseJson>): readonly Item[] =>
  json.ok ? ([json.value].flat() as Item[]) : []
const resultIn = (json: ReturnType<typeof parseJson>) =>
  itemsIn(json).find((item) => item?.id === 2)?.result
const isList = (result: unknown): result is readonly unknown[] => Array.isArray(result)

/** Each list of logs as what its logs say, whichever way they were read. */
const saidBy = (json: unknown): unknown => {
  if (Array.isArray(json)) {
    const scanned = asFastParsedLogs(json)
    if (scanned !== null) return { logs: scanned }
    const parsed = json.map(parseLog)
    const logs = parsed.flatMap((each) =>
      each.ok && !each.value.isRemoved ? [each.value.log] : [],
    )
    return logs.length === json.length && logs.length > 0 ? { logs } : json.map(saidBy)
  }
  if (typeof json !== 'object' || json === null) return json
  return Object.entries(json).map(([name, value]) => [name, saidBy(value)])
}

const expectSame = (text: string | Buffer): void => {
  const [ours, theirs] = [parse(text), plainly(text)]
  expect(ours.ok ? saidBy(ours.value) : ours).toEqual(theirs.ok ? saidBy(theirs.value) : theirs)
  const range = { from: 0, to: 3 }
  const [found, expected] = [resultIn(ours), resultIn(theirs)]
  expect(validateLogs(found, range, { topics: [] })).toEqual(
    validateLogs(expected, range, { topics: [] }),
  )
}

const isScanned = (text: string): boolean =>
  itemsIn(parse(text)).some(
    (item) => isList(item?.result) && asFastParsedLogs(item.result) !== null,
  )

describe('logs in their usual form are read from the bytes', () => {
  const { blockTimestamp, removed, ...least } = logOf(12, 3)
  const reversed = Object.fromEntries(Object.entries(logOf(12, 3)).reverse())
  it.each([
    ['as the fake node sends them', [logOf(12, 3), logOf(12, 4)]],
    ['in another order', [reversed, reversed]],
    ['in changing orders', [reversed, logOf(12, 3), reversed]],
    ['without a time', [{ ...least, removed }]],
    ['with a time only', [{ ...least, blockTimestamp }]],
    ['without topics', [logOf(12, 3, { topics: [] })]],
    ['with four topics', [logOf(12, 3, { topics: [1, 2, 3, 4].map(word) })]],
    ['without data', [logOf(12, 3, { data: '0x' })]],
    ['with leading zeros', [logOf(12, 3, { blockNumber: '0x00c' })]],
  ])('%s', (_, logs) => {
    const text = answerOf(JSON.stringify(logs))
    expect(isScanned(text)).toBe(true)
    expectSame(text)
  })

  it('in whatever pieces they come', () => {
    const bytes = Buffer.from(answerOf(JSON.stringify([logOf(12, 3), logOf(12, 4)])))
    for (let size = 1; size < bytes.length; size += 13) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      )
      expect(parseAnswer(pieces)).toEqual(parse(bytes))
    }
  })

  it('also of an answer too long for the desk', () => {
    const logs = [logOf(12, 3, { data: `0x${'ab'.repeat(5_000_000)}` })]
    const text = answerOf(JSON.stringify(logs))
    expect(isScanned(text)).toBe(true)
    expect(saidBy(resultIn(parse(text)))).toEqual(saidBy(logs))
  })

  it('of an answer that is no batch', () => {
    const text = `{"id":2,"result":${JSON.stringify([logOf(12, 3)])}}\n`
    expect(isScanned(text)).toBe(true)
    expectSame(text)
  })
})

it('returns a text that is not JSON unchanged', () => {
  const text = '<html>ü</html>'
  expect(parseAnswer([Buffer.from(text)])).toEqual({ ok: false, fault: text })
})

describe('everything else is read plainly', () => {
  const log = JSON.stringify(logOf(12, 3))
  const list = `[${log}]`
  it.each([
    ['no log', '[]'],
    ['a space', `[ ${log}]`],
    ['a removed log', JSON.stringify([logOf(12, 3, { removed: true })])],
    ['capitals', JSON.stringify([logOf(12, 3, { data: '0xAB' })])],
    ['an unknown member', JSON.stringify([logOf(12, 3, { logType: 'mined' })])],
    ['five topics', JSON.stringify([logOf(12, 3, { topics: [1, 2, 3, 4, 5].map(word) })])],
    ['half a byte', JSON.stringify([logOf(12, 3, { data: '0xabc' })])],
    ['too large a number', JSON.stringify([logOf(12, 3, { logIndex: `0x${'f'.repeat(14)}` })])],
    ['no digits', JSON.stringify([logOf(12, 3, { logIndex: '0x' })])],
    ['a member missing', JSON.stringify([logOf(12, 3, { data: undefined })])],
    ['a comma too many', `[${log},]`],
    ['a comma at the end of a log', `[${log.replace('}', ',}')}]`],
    ['a list of topics without an end', `[${log.replace(']', '')}]`],
    ['a member without a value', `[${log.replace('"logIndex":"0x3"', '"logIndex":')}]`],
    ['one of them twice, the first of another form', `[${log.replace('{', '{"logIndex":,')}]`],
    ['no end', list.slice(0, -1)],
    ['an escape', `[${log.replace('"0x3"', '"0\\u00783"')}]`],
    ['another end', `${list.slice(0, -1)}}`],
  ])('%s', (_, logs) => {
    expect(isScanned(answerOf(logs))).toBe(false)
    expectSame(answerOf(logs))
  })

  it.each(Object.keys(logOf(12, 3)))('%s without a value, or broken off', (name) => {
    const member = new RegExp(`("${name}":)("[^"]*"|\\[.*\\]|false)`)
    const [, opening = '', value = ''] = member.exec(log) ?? []
    expect(value).not.toBe('')
    for (let end = 0; end < value.length; end++) {
      const text = answerOf(`[${log.replace(member, `${opening}${value.slice(0, end)}`)}]`)
      expect(isScanned(text)).toBe(false)
      expectSame(text)
    }
  })

  it.each([
    ['an escape before', `{"id":7,"result":"\\n"},`, ''],
    ['an escape after', '', `,{"id":7,"result":"\\u0041"}`],
    ['the placeholder before', `{"id":7,"result":"the logs"},`, ''],
    ['the placeholder after', '', `,{"id":7,"result":"the logs"}`],
    ['the placeholder, escaped', '', `,{"id":7,"result":"the \\u006cogs"}`],
    ['no JSON after', '', '"'],
    ['a member that looks like the list', `{"x\\"result":${list},"id":7},`, ''],
    ['a text that looks like the list', `{"id":7,"x":"\\"result\\":[{"},`, ''],
    ['a list inside of a broken text', `{"x"result":${list}]"},`, ''],
    ['two lists', `{"id":7,"result":${list}},`, ''],
    ['a list further inside', `{"id":7,"result":{"result":${list}}},`, ''],
    ['a second result', `{"id":7,"result":${list},"result":[]},`, ''],
    ['a header', `{"id":7,"result":${JSON.stringify(headerOf(9))}},`, ''],
    ['what is no UTF-8', Buffer.from([0xff, 0xfe]).toString('latin1'), ''],
  ])('around the logs: %s', (_, before, after) => {
    expectSame(answerOf(list, before, after))
    expectSame(Buffer.from(answerOf(list, before, after), 'latin1'))
  })

  it('cut off at any byte', () => {
    const whole = answerOf(JSON.stringify([logOf(2, 3), logOf(2, 4)]))
    for (let end = 0; end <= whole.length; end++) expectSame(whole.slice(0, end))
  })
})

describe('both ways say the same', () => {
  const hex = (digits: number) =>
    fc.oneof(
      { weight: 20, arbitrary: fc.bigInt({ min: 0n, max: 16n ** BigInt(digits) - 1n }) },
      { weight: 1, arbitrary: fc.constantFrom(0n, 16n ** BigInt(digits)) },
    )
  const hashes = hex(64).map((value) => `0x${value.toString(16).padStart(64, '0')}`)
  const addresses = hex(40).map((value) => `0x${value.toString(16).padStart(40, '0')}`)
  const numbers = fc.nat(4).map(quantity)
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('0x', '0xAB', '0xabc', '0x00', 'the logs', true, null, [], ['0x'], {}),
  )
  const mostly = <T>(arbitrary: fc.Arbitrary<T>, weight: number) =>
    fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: odd })

  const logs = (weight: number) =>
    fc
      .record({
        address: mostly(addresses, weight),
        topics: mostly(fc.array(mostly(hashes, weight), { maxLength: 4 }), weight),
        data: mostly(
          fc.uint8Array({ maxLength: 80 }).map((data) => `0x${Buffer.from(data).toString('hex')}`),
          weight,
        ),
        blockNumber: mostly(numbers, weight),
        blockHash: mostly(
          numbers.map((number) => word(BigInt(number))),
          weight,
        ),
        transactionHash: mostly(hashes, weight),
        transactionIndex: mostly(numbers, weight),
        logIndex: mostly(numbers, weight),
        blockTimestamp: mostly(numbers, weight),
        removed: mostly(fc.constant(false), weight),
      })
      .chain((log) =>
        fc
          .tuple(
            fc.shuffledSubarray(Object.entries(log), { minLength: weight > 50 ? 10 : 8 }),
            fc.nat(weight) as fc.Arbitrary<number>,
            odd,
          )
          .map(([entries, extra, value]): [string, unknown][] =>
            extra === 0 ? [...entries, [entries[0]?.[0] ?? 'x', value]] : entries,
          ),
      )
  /** By hand, so that names may come twice and spaces may stand between. */
  const textOfLog = (entries: readonly [string, unknown][], space: string) =>
    `{${entries.map(([name, value]) => `"${name}":${space}${JSON.stringify(value)}`).join(',')}}`
  const answers = fc
    .record({
      logs: fc
        .constantFrom(10, 100, 10_000, 10_000)
        .chain((weight) =>
          fc.array(logs(weight), { minLength: weight > 100 ? 1 : 0, maxLength: 6 }),
        ),
      space: fc.constantFrom('', '', '', '', ' '),
      before: fc.oneof(fc.constant(null), fc.jsonValue()),
      after: fc.oneof(fc.constant(null), fc.jsonValue()),
    })
    .map(({ logs, space, before, after }) =>
      answerOf(
        `[${logs.map((entries) => textOfLog(entries, space)).join(',')}]`,
        `{"result":${JSON.stringify(before)},"id":8},`,
        `,{"id":9,"result":${JSON.stringify(after)}}`,
      ),
    )

  it('of any answer', () => {
    let scanned = 0
    fc.assert(
      fc.property(answers, (text) => {
        if (isScanned(text)) scanned += 1
        expectSame(text)
      }),
      { numRuns: 500 },
    )
    // Else it would say nothing of the scanning.
    expect(scanned).toBeGreaterThan(100)
  })

  it('of an answer with any of its bytes changed', () => {
    const whole = Buffer.from(answerOf(JSON.stringify([logOf(2, 3), logOf(2, 4)])))
    const bytes = fc.oneof(fc.constantFrom(...Buffer.from('"0x,:[]{}\\ aAfFgG9')), fc.nat(255))
    fc.assert(
      fc.property(fc.nat(whole.length - 1), bytes, (at, byte) => {
        const changed = Buffer.from(whole)
        changed[at] = byte
        expectSame(changed)
      }),
      { numRuns: 1000 },
    )
  })
})
