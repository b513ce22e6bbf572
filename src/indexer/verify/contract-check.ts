import type { Address, Hex } from '../../domain/units.ts'
import type { CallResult, ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'

/** A contract that the network file names. */
export type NamedContract = {
  /** Its key's path in the file. */
  readonly key: string
  readonly address: Address
  readonly role: 'v3-factory' | 'pool-manager' | 'state-view' | 'multicall3' | 'beacon' | 'token'
  /** That a StateView must be of. */
  readonly poolManager?: Address
}

/** Whether the contracts are what the network file says. */
export type ContractCheck = {
  /** Asks those that were not found right yet. False if the chain could not be asked. */
  readonly refresh: () => Promise<boolean>
  /** What is wrong, for the status; null if nothing is. */
  readonly warning: () => string | null
}

const word = '0'.repeat(64)

type Probe = { readonly name: string; readonly data: Hex; readonly answerBytes: number }

/** A reading call that every contract of the kind must answer, and how long the answer is. */
const probes: Readonly<Record<NamedContract['role'], Probe>> = {
  // getPool(address,address,uint24): UniswapV3Factory.sol
  'v3-factory': {
    name: 'v3 factory',
    data: `0x1698ee82${word}${word}${word}`,
    answerBytes: 32,
  },
  // extsload(bytes32): v4-core, IExtsload.sol
  'pool-manager': { name: 'v4 PoolManager', data: `0x1e2eaeaf${word}`, answerBytes: 32 },
  // poolManager(): v4-periphery, ImmutableState.sol
  'state-view': { name: 'StateView', data: '0xdc4c90d3', answerBytes: 32 },
  // aggregate3((address,bool,bytes)[]) of nothing: Multicall3.sol
  multicall3: {
    name: 'Multicall3',
    data: `0x82ad56cb${'20'.padStart(64, '0')}${word}`,
    answerBytes: 64,
  },
  // implementation(): EIP-1967, beacon
  beacon: { name: 'beacon', data: '0x5c60da1b', answerBytes: 32 },
  // totalSupply(): EIP-20
  token: { name: 'token', data: '0x18160ddd', answerBytes: 32 },
}

/** Of such an answer nothing is known: it may be the node's doing. */
const unread = 'its answer is too long to be read'

/** What is wrong with a contract, from the answer to its probe; null if nothing is. */
const faultOf = (contract: NamedContract, answer: CallResult | undefined): string | null => {
  if (answer?.ok === false && answer.reason === 'too-large') return unread
  const { name, answerBytes } = probes[contract.role]
  if (answer?.ok && answer.data === '0x') {
    return `no ${name} answers there: no contract at all, or another one`
  }
  if (!answer?.ok || answer.data.length !== 2 + 2 * answerBytes) {
    return `the contract there is no ${name}`
  }
  const { poolManager } = contract
  const isOfManager = poolManager === undefined || answer.data.slice(-40) === poolManager.slice(2)
  return isOfManager ? null : 'it belongs to another PoolManager'
}

/**
 * A right-looking address of nothing, or of the wrong contract, is an error that shows in nothing
 * but what is missing: so each is asked for something that only the right one can answer.
 */
export const createContractCheck = (deps: {
  readonly chain: ChainReader
  readonly logger: Logger
  readonly contracts: readonly NamedContract[]
}): ContractCheck => {
  const { chain, logger, contracts } = deps
  let open = contracts
  const faults = new Map<NamedContract, string>()

  const judge = (contract: NamedContract, fault: string | null): void => {
    const { key, address } = contract
    const isKnown = faults.get(contract) === fault
    if (fault !== null) {
      faults.set(contract, fault)
      const lack = fault === unread ? 'could not be checked' : 'is not there'
      const message = `A contract that the network file names ${lack}`
      if (!isKnown) logger.warn(message, { key, address, reason: fault })
    } else if (faults.delete(contract)) {
      logger.info('A contract of the network file is there now', { key, address })
    }
  }

  return {
    refresh: async () => {
      if (open.length === 0) return true
      const calls = open.map(({ address: to, role }) => ({ to, data: probes[role].data }))
      const answers = await chain.callContracts(calls, 'latest')
      if (!answers.ok) {
        const message = 'The contracts of the network file could not be checked'
        logger.warn(message, answers.fault)
        return false
      }
      for (const [at, contract] of open.entries()) {
        judge(contract, faultOf(contract, answers.value[at]))
      }
      open = open.filter((contract) => faults.has(contract))
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
