import { type Abi, parseAbi, parseEther } from 'viem'
import { nowSeconds } from '../clock.ts'
import { encodeCall } from '../market/calls.ts'
import type { LiveMarket } from '../market/live.ts'
import type { TransactionSender } from '../market/transaction-sender.ts'
import { isStock, multiplierAt, tokenOf, type World } from '../world/world.ts'
import type { Command } from './control.ts'
import { type Issuer, issuerModes } from './issuer.ts'
import { type RpcGate, rpcGateModes } from './rpc-gate.ts'
import { type Screener, screenerModes } from './screener.ts'

export type CommandInput = {
  readonly world: World
  readonly sender: TransactionSender
  readonly issuer: Issuer
  readonly screener: Screener
  readonly rpcGate: RpcGate
  readonly live: LiveMarket
  readonly renew: () => Promise<void>
  readonly status: () => unknown
}

const stockAbi: Abi = parseAbi([
  'function announceMultiplier(uint256 multiplier, uint256 effectiveAt)',
  'function setOraclePaused(bool paused)',
  'function rebase(uint256 scale)',
])

/** The commands of `POST /control/<name>` with their JSON bodies. */
export function createCommands(input: CommandInput): Readonly<Record<string, Command>> {
  const { world, sender, issuer, screener, rpcGate, live } = input
  const callStock = (symbol: string, functionName: string, args: readonly unknown[]): void => {
    const { address } = tokenOf(world, symbol)
    sender.submit(world.accounts.deployer, encodeCall(address, stockAbi, functionName, args))
  }
  return {
    adopt: () => input.status(),
    quotes: ({ mode }) => {
      issuer.setMode(oneOf('mode', mode, issuerModes))
      return { mode: issuer.mode() }
    },
    screener: ({ mode }) => {
      screener.setMode(oneOf('mode', mode, screenerModes))
      return { mode: screener.mode() }
    },
    rpc: ({ mode }) => {
      rpcGate.setMode(oneOf('mode', mode, rpcGateModes))
      return { mode: rpcGate.mode() }
    },
    renew: async () => {
      await input.renew()
      return input.status()
    },
    traders: ({ on }) => {
      live.setTrading(boolean('on', on))
      return live.status()
    },
    halt: ({ symbol, halted }) => {
      const key = stockKey(world, symbol)
      world.halted[key] = boolean('halted', halted)
      issuer.refresh()
      return { symbol: key, halted: world.halted[key] }
    },
    'oracle-paused': ({ symbol, paused }) => {
      const key = issuedStockKey(world, symbol)
      world.oraclePaused[key] = boolean('paused', paused)
      callStock(key, 'setOraclePaused', [paused])
      return { symbol: key, paused }
    },
    rebase: ({ symbol, scale }) => {
      const key = rebasingStockKey(world, symbol)
      const args = [parseEther(decimal('scale', scale))]
      const { address } = tokenOf(world, key)
      sender.submit(world.accounts.deployer, encodeCall(address, stockAbi, 'rebase', args))
      return { symbol: key, scale }
    },
    multiplier: ({ symbol, multiplier, inSeconds }) => {
      const key = issuedStockKey(world, symbol)
      const seconds = Number(inSeconds)
      if (!(seconds >= 0)) throw new Error('inSeconds must be a number of at least 0')
      return announceMultiplier(input, key, decimal('multiplier', multiplier), seconds)
    },
  }
}

/** Announces a multiplier: its event is emitted now, the change takes effect without one. */
export function announceMultiplier(
  { world, sender }: Pick<CommandInput, 'world' | 'sender'>,
  key: string,
  multiplier: string,
  inSeconds: number,
) {
  const now = nowSeconds()
  const effectiveTs = now + Math.floor(inSeconds)
  world.multipliers[key] = { before: multiplierAt(world, key, now), after: multiplier, effectiveTs }
  const args = [parseEther(multiplier), BigInt(effectiveTs)]
  const { address } = tokenOf(world, key)
  const call = encodeCall(address, stockAbi, 'announceMultiplier', args)
  sender.submit(world.accounts.deployer, call)
  return { symbol: key, multiplier, effectiveTs }
}

function stockKey(world: World, symbol: unknown): string {
  const token = typeof symbol === 'string' ? world.tokens[symbol.toUpperCase()] : undefined
  if (token && isStock(token.spec)) return token.spec.key
  throw new Error('symbol must be the ticker of a stock')
}

/** Only the issuer's own contracts can be paused and announce multipliers. */
function issuedStockKey(world: World, symbol: unknown): string {
  const key = stockKey(world, symbol)
  const { spec } = tokenOf(world, key)
  if (isStock(spec) && spec.proof === 'beacon') return key
  throw new Error(`the contract of ${key} is not the issuer's`)
}

function rebasingStockKey(world: World, symbol: unknown): string {
  const key = stockKey(world, symbol)
  const { spec } = tokenOf(world, key)
  if (isStock(spec) && spec.rebasing) return key
  throw new Error(`${key} does not rebase`)
}

function oneOf(name: string, value: unknown, allowed: readonly string[]): string {
  if (typeof value === 'string' && allowed.includes(value)) return value
  throw new Error(`${name} must be one of: ${allowed.join(', ')}`)
}

function boolean(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new Error(`${name} must be true or false`)
}

function decimal(name: string, value: unknown): string {
  if (typeof value === 'string' && /^\d{1,6}(\.\d{1,18})?$/.test(value)) return value
  throw new Error(`${name} must be a decimal string such as "1.0215"`)
}
