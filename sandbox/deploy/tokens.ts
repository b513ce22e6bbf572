import {
  type Address,
  encodeDeployData,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbi,
  parseEther,
  parseUnits,
  stringToHex,
} from 'viem'
import type { OwnArtifacts } from '../build/compile.ts'
import type { Call } from '../chain/sender.ts'
import { encodeCall } from '../market/calls.ts'
import {
  etherSpec,
  fakeTokens,
  malformedTokens,
  memeTokens,
  nativeAddress,
  type StockSpec,
  stocks,
  type Token,
  type TokenSpec,
  usdgSpec,
  wethSpec,
} from '../world/tokens.ts'
import type { BaseContracts, Feed } from '../world/world.ts'
import { findArtifact } from './contracts.ts'
import { type Creation, findCreation, isMiddleAddress, planCreation } from './create2.ts'

const factoryAbi = parseAbi(['function deploy(bytes32 uid, string name, string symbol)'])
const mintAbi = parseAbi(['function mint(address to, uint256 value)'])
const wethAbi = parseAbi(['function deposit() payable'])

/** Router balance in whole tokens, more than will ever be traded. */
const routerBalance = 10n ** 12n

/** The router's native ETH before it wraps a part of it. */
export const routerEther = 10n ** 31n

export type TokenPlan = {
  readonly tokens: Record<string, Token>
  readonly feeds: Feed[]
  readonly calls: readonly Call[]
}

export function planTokens(own: OwnArtifacts, contracts: BaseContracts): TokenPlan {
  const erc20s = [usdgSpec, ...memeTokens, ...fakeTokens, ...malformedTokens].map((spec) => ({
    spec,
    made: planErc20(own, spec),
  }))
  const others = stocks
    .filter(({ proof }) => proof !== 'beacon')
    .map((spec) => ({ spec, made: planStock(own, spec) }))
  const issued = stocks.filter(({ proof }) => proof === 'beacon')
  const known: readonly Token[] = [
    { spec: etherSpec, address: nativeAddress },
    { spec: wethSpec, address: contracts.wrappedNative },
    ...issued.map((spec) => ({ spec, address: stockAddress(own, contracts, spec) })),
    ...[...others, ...erc20s].map(({ spec, made }) => ({ spec, address: made.address })),
  ]
  const fed = [etherSpec, usdgSpec, ...stocks.filter((stock) => stock.hasFeed)]
  const feeds = fed.map((spec) => planFeed(own, spec))
  return {
    tokens: Object.fromEntries(known.map((token) => [token.spec.key, token])),
    feeds: feeds.map(({ feed }) => feed),
    calls: [
      ...[...erc20s, ...others].map(({ made }) => made.call),
      ...issued.map((spec) =>
        encodeCall(contracts.stockFactory, factoryAbi, 'deploy', [
          stockUid(spec),
          spec.name,
          spec.symbol,
        ]),
      ),
      ...feeds.flatMap(({ calls }) => calls),
    ],
  }
}

/** Plans an ERC-20; also used for memes that are launched later. */
export function planErc20(own: OwnArtifacts, spec: TokenSpec): Creation {
  if (spec.key === 'no-decimals') return planCreation(findArtifact(own, 'NoDecimalsToken'), [])
  if (spec.key === 'bytes32-symbol')
    return planCreation(findArtifact(own, 'Bytes32SymbolToken'), [])
  const args = [spec.name, spec.symbol, spec.decimals]
  const artifact = findArtifact(own, 'Erc20')
  // A middle address, so that stocks are token0 in some USDG pools and token1 in others.
  return spec.key === 'USDG'
    ? findCreation(artifact, args, isMiddleAddress)
    : planCreation(artifact, args)
}

/** Plans a stock that is no proxy of the issuer's beacon. */
function planStock(own: OwnArtifacts, spec: StockSpec): Creation {
  const args = [spec.name, spec.symbol, spec.decimals]
  const asset = stocks.find(({ key }) => key === spec.asset)
  if (asset !== undefined) {
    const assets = parseUnits(spec.multiplier, asset.decimals)
    const { address } = planStock(own, asset)
    return planCreation(findArtifact(own, 'WrappedStock'), [...args, address, assets])
  }
  if (spec.rebasing) return planCreation(findArtifact(own, 'RebasingStock'), args)
  return spec.proof === 'erc8056'
    ? planCreation(findArtifact(own, 'AliasedStock'), [...args, parseEther(spec.multiplier)])
    : planCreation(findArtifact(own, 'Erc20'), args)
}

/** Mints or wraps the router's balance of a token. */
export function fundRouter(contracts: BaseContracts, { spec, address }: Token): Call[] {
  const value = routerBalance * 10n ** BigInt(spec.decimals)
  if (spec.role === 'native') return []
  if (spec.role === 'wrapped') return [{ ...encodeCall(address, wethAbi, 'deposit', []), value }]
  return [encodeCall(address, mintAbi, 'mint', [contracts.router, value])]
}

/** The issuer's id of a stock: 16 bytes, left-padded as in its registry. */
export function stockUid(spec: StockSpec): Hex {
  const hash = keccak256(stringToHex(spec.symbol))
  return `0x${hash.slice(2, 34).padStart(64, '0')}`
}

/** CREATE2 by the StockFactory with the uid as salt. */
function stockAddress(own: OwnArtifacts, contracts: BaseContracts, spec: StockSpec): Address {
  const { abi, bytecode } = findArtifact(own, 'StockProxy')
  const initCode = encodeDeployData({ abi, bytecode, args: [contracts.beacon] })
  const address = getCreate2Address({
    from: contracts.stockFactory,
    salt: stockUid(spec),
    bytecodeHash: keccak256(initCode),
  })
  return address.toLowerCase() as Address
}

function planFeed(own: OwnArtifacts, spec: TokenSpec) {
  const description = `Sandbox ${spec.symbol} / USD`
  const aggregator = planCreation(findArtifact(own, 'FeedAggregator'), [description])
  const proxy = planCreation(findArtifact(own, 'FeedProxy'), [aggregator.address])
  const feed: Feed = {
    tokenKey: spec.key,
    proxy: proxy.address,
    aggregator: aggregator.address,
    lastUsd: 0,
    lastTs: 0,
  }
  return { feed, calls: [aggregator.call, proxy.call] }
}
