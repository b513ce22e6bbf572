import { readFile } from 'node:fs/promises'
import {
  type AbiEvent,
  type Address,
  concat,
  decodeEventLog,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  isAddress,
  keccak256,
  parseAbiItem,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { readData } from '../golden/read-data.ts'

/*
 * What follows from other facts of docs/protocols.md is computed here again from the page itself: a
 * topic or selector from its signature, the address of a known pool from the values of its venue.
 */

const page = await readFile(new URL('../../docs/protocols.md', import.meta.url), 'utf8')

type ForkPool = {
  readonly venue: string
  readonly chainId: number
  readonly deployer: Address
  readonly implementation?: Address
  readonly initCodeHash?: Hex
  readonly token0: Address
  readonly token1: Address
  readonly fee?: number
  readonly tickSpacing?: number
  readonly address: Address
}

type ForkLog = {
  readonly name: string
  readonly address: Address
  readonly topics: readonly [Hex, ...Hex[]]
  readonly data: Hex
}

const pools = readData<ForkPool[]>('fork-pools')
const logs = readData<ForkLog[]>('fork-logs')

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map(cellsOf)

/** Rows of the page with a signature in one cell and so many bytes of its hash in the next. */
const signaturesWith = (bytes: number): readonly (readonly [signature: string, hash: string])[] =>
  rows.flatMap((cells) =>
    cells.flatMap((cell, place) => {
      const hash = new RegExp(`^\`(0x[0-9a-f]{${bytes * 2}})\`$`).exec(cells[place + 1] ?? '')
      const signature = /^`(\w+\(.*?\))`(?=:|$)/.exec(cell)
      return hash === null || signature === null
        ? []
        : [[signature[1] ?? '', hash[1] ?? ''] as const]
    }),
  )

const topics = signaturesWith(32)
const selectors = signaturesWith(4)

/** Every hexadecimal number of the page, in lowercase. */
const numbers = new Set(
  [...page.matchAll(/0x[0-9a-fA-F]+/g)].map(([number]) => number.toLowerCase()),
)

describe('the hashes of signatures', () => {
  it('are many', () => {
    expect(topics.length).toBeGreaterThanOrEqual(42)
    expect(selectors.length).toBeGreaterThanOrEqual(30)
    expect(new Set(topics.map(([, topic]) => topic)).size).toBe(topics.length)
  })

  it.each(topics)('%s', (signature, topic) => {
    expect(toEventSelector(`event ${signature}`)).toBe(topic)
  })

  it.each(selectors)('%s', (signature, selector) => {
    expect(toFunctionSelector(`function ${signature}`)).toBe(selector)
  })
})

it('every address in mixed case has its checksum', () => {
  const addresses = [...page.matchAll(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g)].map(([text]) => text)
  expect(addresses.length).toBeGreaterThanOrEqual(80)
  expect(addresses.filter((text) => !isAddress(text))).toEqual([])
})

/** As the page writes it: EIP-1167, with the implementation in between. */
const cloneParts = /`(3d602d\w+)` \+\+ implementation \+\+ `(\w+)`/.exec(page)

const creationHashOf = ({ implementation, initCodeHash }: ForkPool): Hex => {
  if (implementation === undefined) return initCodeHash ?? '0x'
  const [, before = '', after = ''] = cloneParts ?? []
  return keccak256(concat([`0x${before}`, implementation, `0x${after}`]))
}

/** abi.encode of what makes a pool the only one of its venue. */
const saltOf = ({ token0, token1, fee, tickSpacing }: ForkPool): Hex => {
  const pair = [{ type: 'address' }, { type: 'address' }] as const
  if (fee !== undefined) {
    return keccak256(encodeAbiParameters([...pair, { type: 'uint24' }], [token0, token1, fee]))
  }
  if (tickSpacing === undefined) return keccak256(encodeAbiParameters(pair, [token0, token1]))
  return keccak256(encodeAbiParameters([...pair, { type: 'int24' }], [token0, token1, tickSpacing]))
}

describe('the address of a known pool follows from the values of its venue', () => {
  it.each(pools.map((pool) => [pool.venue, pool.address, pool] as const))('%s: %s', (...row) => {
    const pool = row[2]
    for (const value of [pool.deployer, pool.implementation ?? pool.initCodeHash ?? '']) {
      expect(numbers).toContain(value)
    }
    const computed = getContractAddress({
      opcode: 'CREATE2',
      from: pool.deployer,
      salt: saltOf(pool),
      bytecodeHash: creationHashOf(pool),
    })
    expect(computed.toLowerCase()).toBe(pool.address)
  })
})

const signatureByTopic = new Map(topics.map(([signature, topic]) => [topic, signature]))

const decode = (log: ForkLog) => {
  const signature = signatureByTopic.get(log.topics[0])
  const abi = [parseAbiItem(`event ${signature}`) as AbiEvent]
  return decodeEventLog({ abi, topics: [...log.topics], data: log.data, strict: true })
}

describe('recorded logs have the events of the page', () => {
  it.each(logs.map((log) => [log.name, log] as const))('%s', (name, log) => {
    expect(name.endsWith(` ${decode(log).eventName}`)).toBe(true)
  })

  it('the id of an Infinity pool is the hash of its key', () => {
    const log = logs.find(({ name }) => name === 'Infinity Initialize')
    if (log === undefined) throw new Error('no recorded Initialize of Infinity')
    const key = decode(log).args as unknown as {
      readonly id: Hex
      readonly currency0: Address
      readonly currency1: Address
      readonly hooks: Address
      readonly fee: number
      readonly parameters: Hex
    }
    const types = ['address', 'address', 'address', 'address', 'uint24', 'bytes32']
    const encoded = encodeAbiParameters(
      types.map((type) => ({ type })),
      [key.currency0, key.currency1, key.hooks, log.address, key.fee, key.parameters],
    )
    expect(keccak256(encoded)).toBe(key.id)
  })
})
