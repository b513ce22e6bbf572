import type { Probe, ProbedContract } from '../../domain/dex/protocol.ts'
import type { CallResult, ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { ReadConfirmedBlock } from '../confirmed-block.ts'

/** A contract of the network file. */
export type NamedContract = ProbedContract

export type ContractCheck = {
  /** Checks the contracts that are not confirmed yet. False if the chain did not answer. */
  readonly refresh: () => Promise<boolean>
  /** Problems for the status; null if there are none. */
  readonly warning: () => string | null
}

const word = '0'.repeat(64)

/** Of the contracts that belong to no protocol. */
export const probes = {
  // aggregate3((address,bool,bytes)[]) of an empty list: Multicall3.sol
  multicall3: {
    name: 'Multicall3',
    data: `0x82ad56cb${'20'.padStart(64, '0')}${word}`,
    answerBytes: 64,
  },
  // implementation(): EIP-1967, beacon
  beacon: { name: 'beacon', data: '0x5c60da1b', answerBytes: 32 },
  // totalSupply(): EIP-20
  token: { name: 'token', data: '0x18160ddd', answerBytes: 32 },
} as const satisfies Readonly<Record<string, Probe>>

/** Prove nothing about the contract: the endpoint may be at fault. */
const unproven: Readonly<Partial<Record<string, string>>> = {
  'too-large': 'its response is too large',
  unanswered: 'the endpoint refused to call it',
}

/** What the answer to its probe proves wrong about a contract; null if nothing. */
const findFault = (contract: NamedContract, answer: CallResult | undefined): string | null => {
  const reason = answer?.ok === false ? unproven[answer.reason] : undefined
  if (reason !== undefined) return reason
  const { name, answerBytes, expected, unexpected } = contract.probe
  const isAnswer = answer?.ok === true && answer.data.length === 2 + 2 * answerBytes
  if (unexpected !== undefined) return isAnswer ? unexpected : null
  if (answer?.ok && answer.data === '0x') return `no ${name} contract at this address`
  if (!isAnswer) return `the contract at this address is not a ${name}`
  const isExpected = expected === undefined || answer.data.slice(-40) === expected.address.slice(2)
  return isExpected ? null : expected.otherwise
}

/**
 * Calls each contract of the network file with something that only the right one can answer. A
 * wrong address would otherwise show only in missing data.
 */
export const createContractCheck = (deps: {
  readonly chain: ChainReader
  readonly logger: Logger
  readonly confirmedBlock: ReadConfirmedBlock
  readonly contracts: readonly NamedContract[]
}): ContractCheck => {
  const { chain, logger, confirmedBlock, contracts } = deps
  let unconfirmed = contracts
  const faults = new Map<NamedContract, string>()

  const record = (contract: NamedContract, fault: string | null): void => {
    const { key, address } = contract
    const isKnown = faults.get(contract) === fault
    if (fault !== null) {
      faults.set(contract, fault)
      const problem = Object.values(unproven).includes(fault)
        ? 'could not be checked'
        : 'was not found'
      const message = `Contract of the network file ${problem}`
      if (!isKnown) logger.warn(message, { key, address, reason: fault })
    } else if (faults.delete(contract)) {
      logger.info('Contract of the network file was found', { key, address })
    }
  }

  return {
    refresh: async () => {
      if (unconfirmed.length === 0) return true
      const calls = unconfirmed.map(({ address: to, probe }) => ({ to, data: probe.data }))
      const at = await confirmedBlock()
      const answers = at.ok ? await chain.callContracts(calls, at.value, { confirmed: true }) : at
      if (!answers.ok) {
        logger.warn('Failed to check the contracts of the network file', answers.fault)
        return false
      }
      for (const [position, contract] of unconfirmed.entries()) {
        record(contract, findFault(contract, answers.value[position]))
      }
      unconfirmed = unconfirmed.filter((contract) => faults.has(contract))
      return true
    },
    warning: () => {
      const [first, ...others] = faults
      if (first === undefined) return null
      const [{ key, address }, fault] = first
      const more = others.length === 0 ? '' : `; ${others.length} more like it`
      return `${key} (${address}): ${fault}${more}`
    },
  }
}
