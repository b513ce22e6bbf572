import { getProtocol } from '../dex/find-protocol.ts'
import type { BlockNumber } from '../units.ts'
import type { PoolView } from '../views/pool.ts'
import type { InputSource } from '../views/provenance.ts'
import type { Ledger, LedgerInput } from './ledger.ts'
import {
  blockSource,
  conditionOf,
  inputOf,
  type PoolFacts,
  poolLogsSource,
  readSource,
} from './pool-facts.ts'

const creationOf = ({ pool }: PoolFacts['inputs']): InputSource => ({
  kind: 'logs',
  address: pool.venue,
  topic: getProtocol(pool.protocol).emitter === 'singleton' ? pool.id : null,
  fromBlock: pool.createdBlock,
  toBlock: pool.createdBlock,
})

/** The creation, or the logs that set what the key does not have for good. */
const ruleSourceOf = ({ inputs }: PoolFacts, field: string): InputSource => {
  const { protocol, venue, fees, settings, createdBlock } = inputs.pool
  const { logsLpFee, venueEvents } = getProtocol(protocol)
  const rules = { fee: logsLpFee ? fees : null, tickSpacing: settings }[field] ?? null
  if (rules === null) return creationOf(inputs)
  const range = { fromBlock: createdBlock, toBlock: rules.block }
  return venueEvents === undefined
    ? poolLogsSource(inputs.pool, range)
    : { kind: 'logs', address: venue, topic: null, ...range }
}

const recordIdentity = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  for (const field of ['createdBlock', 'fee', 'tickSpacing'] as const) {
    const unit = field === 'createdBlock' ? 'block number' : 'as in the event'
    const source = ruleSourceOf(facts, field)
    const input = inputOf(field, record[field], { unit, source })
    ledger.record(field, 'own', { value: record[field], inputs: [input] })
  }
}

/** The log that set the fee, or a read of the pool at the block since which it is known. */
const feeSourceOf = (facts: PoolFacts): InputSource => {
  const { protocol, fees, createdBlock } = facts.inputs.pool
  const { fee, logsLpFee, stateCallNames } = getProtocol(protocol)
  const [slot0, , ofFee] = facts.stateCalls ?? []
  const call = ofFee ?? slot0
  const isLogged = fee === 'key' || logsLpFee || fees?.block === createdBlock
  if (isLogged || call === undefined) return ruleSourceOf(facts, 'fee')
  const { to, data } = call
  const name = ofFee === undefined ? stateCallNames[0] : 'fee()'
  return { kind: 'read', to, call: name, data, block: fees?.block ?? null, blockHash: null }
}

const recordFee = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  const source = feeSourceOf(facts)
  for (const field of ['lpFee', 'feeBlock'] as const) {
    const unit = field === 'lpFee' ? 'hundredths of a basis point' : 'block number'
    const input = inputOf(field, record[field], { unit, source, reason: 'fee_unknown' })
    ledger.record(field, 'own', { value: record[field], inputs: [input] })
  }
}

/** The block that the time of a past record is of. */
const timeSource = (block: BlockNumber): InputSource => ({ kind: 'block', block, blockHash: null })

const recordBlock = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  const { past } = facts
  const { asOf } = facts.context
  const source = blockSource(facts)
  const block = inputOf('asOfBlock', asOf.block, { unit: 'block number', source })
  ledger.record('asOfBlock', 'own', { value: record.asOfBlock, inputs: [block] })
  const initialised = conditionOf('initialised', facts.inputs.pool.price !== null, source)
  const isOwnTime = past === null || past.tsBlock === asOf.block
  const tsSource = isOwnTime ? source : timeSource(past.tsBlock)
  const ts = inputOf('blockTs', asOf.ts, { unit: 'Unix seconds', source: tsSource })
  const reason = initialised.value === 1 ? null : 'uninitialised'
  ledger.record('stateTs', 'own', { value: record.stateTs, inputs: [initialised, ts], reason })
}

/** The contract at the block, else the pool's own events up to it. */
const stateSourceOf = (facts: PoolFacts, at: 0 | 1): InputSource => {
  const { pool } = facts.inputs
  const call = facts.stateCalls?.[at]
  const { stateCallNames } = getProtocol(pool.protocol)
  if (call !== undefined) return readSource(facts, stateCallNames[at], call)
  const fromBlock = pool.lastSwapBlock ?? pool.createdBlock
  return poolLogsSource(pool, { fromBlock, toBlock: facts.context.asOf.block })
}

const recordContractState = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  for (const [field, at, unit] of [
    ['sqrtPriceX96', 0, 'Q64.96'],
    ['tick', 0, 'tick'],
    ['liquidity', 1, 'liquidity'],
  ] as const) {
    const source = stateSourceOf(facts, at)
    const value = record[field]
    const input = inputOf(field, value, { unit, source, reason: 'uninitialised' })
    ledger.record(field, 'own', { value, inputs: [input] })
  }
}

/** The decimals of both tokens as inputs. */
export const decimalsInputs = (facts: PoolFacts): readonly [LedgerInput, LedgerInput] => {
  const { pool, decimals0, decimals1 } = facts.inputs
  const inputFor = (index: 0 | 1): LedgerInput => {
    const decimals = index === 0 ? decimals0 : decimals1
    const to = index === 0 ? pool.key.token0 : pool.key.token1
    return inputOf(`decimals${index}`, decimals.known ? decimals.value : null, {
      unit: 'decimals',
      source: readSource(facts, 'decimals()', { to, data: '0x313ce567' }),
      reason: 'decimals_unknown',
    })
  }
  return [inputFor(0), inputFor(1)]
}

const recordPrice = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  const formula = record.stockIsToken0 ? 'token0' : 'token1'
  const inputs = [ledger.use('sqrtPriceX96'), ...decimalsInputs(facts)]
  const isKnown = inputs.every(({ value }) => value !== null)
  const reason = isKnown ? 'price_at_bound' : null
  ledger.record('stockPriceInOther', formula, { value: record.stockPriceInOther, inputs, reason })
}

/** The last swap's own log; without its row, the logs of its block. */
const lastSwapSource = (record: PoolView, facts: PoolFacts): InputSource => {
  const { lastSwap, asOfHash, inputs, context } = facts
  const { asOf } = context
  if (lastSwap !== null && lastSwap.block === record.lastSwapBlock) {
    const blockHash = lastSwap.block === asOf.block ? asOfHash : null
    const { block, txHash, logIndex } = lastSwap
    return { kind: 'log', block, blockHash, txHash, logIndex }
  }
  const { createdBlock } = inputs.pool
  const fromBlock = record.lastSwapBlock ?? createdBlock
  return poolLogsSource(inputs.pool, { fromBlock, toBlock: record.lastSwapBlock ?? asOf.block })
}

const recordLastSwap = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  const source = lastSwapSource(record, facts)
  const swapInput = (name: 'lastSwapTs' | 'lastSwapBlock', unit: string) =>
    inputOf(name, record[name], { unit, source, reason: 'no_swap' })
  for (const [field, unit] of [
    ['lastSwapTs', 'Unix seconds'],
    ['lastSwapBlock', 'block number'],
  ] as const) {
    ledger.record(field, 'own', { value: record[field], inputs: [swapInput(field, unit)] })
  }
  const { lastSwapTs, lastSwapFee } = facts.inputs.pool
  const isOfKey = lastSwapTs !== null && lastSwapFee === null && record.lastSwapFee !== null
  const fee = inputOf('lastSwapFee', record.lastSwapFee, {
    unit: 'hundredths of a basis point',
    source,
    reason: lastSwapTs === null ? 'no_swap' : 'fee_unlogged',
  })
  const inputs = [isOfKey ? ledger.use('fee') : fee]
  ledger.record('lastSwapFee', isOfKey ? 'ofKey' : 'own', { value: record.lastSwapFee, inputs })
}

/** Identity, block, contract state, price and last swap. */
export const explainState = (ledger: Ledger, record: PoolView, facts: PoolFacts): void => {
  recordIdentity(ledger, record, facts)
  recordFee(ledger, record, facts)
  recordBlock(ledger, record, facts)
  recordContractState(ledger, record, facts)
  recordPrice(ledger, record, facts)
  recordLastSwap(ledger, record, facts)
}
