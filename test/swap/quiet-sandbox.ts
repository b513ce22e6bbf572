import { dirname } from 'node:path'
import { type Address, encodeDeployData, type Hex } from 'viem'
import { type Artifact, compileContracts } from '../../sandbox/build/compile.ts'
import { readArtifact } from '../../sandbox/build/uniswap.ts'
import { createRpc, latestBlock, toHex } from '../../sandbox/chain/rpc.ts'
import { type Call, deploy, mineAt, send } from '../../sandbox/chain/sender.ts'
import { findArtifact } from '../../sandbox/deploy/contracts.ts'
import { openSandbox } from '../../sandbox/open-sandbox.ts'
import type { VenueName } from '../../sandbox/world/venues.ts'
import { readManifest } from '../service/numbers/chain.ts'

export type Receipt = {
  readonly status: Hex
  readonly blockNumber: Hex
  readonly contractAddress: Address | null
  readonly logs: readonly {
    readonly address: Address
    readonly topics: [Hex, ...Hex[]]
    readonly data: Hex
  }[]
}

/** More than the confirmations of the sandbox's network file. */
const blocksUntilIndexed = 24

const paths = {
  v3: '@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
  pancake: '@pancakeswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
  algebra: '@cryptoalgebra/integral-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
  v4: '@uniswap/v4-periphery/foundry-out/V4Quoter.sol/V4Quoter.json',
}

/** Nothing trades, and a block comes once a minute or when it is mined. */
const settings = { pastHours: 0.5, traders: false, blockTimeSeconds: 60 }

/** A sandbox with the quoters of its venues on its chain. */
export const openQuietSandbox = async (dataDir: string) => {
  const sandbox = await openSandbox({ dataDir, settings })
  const manifest = readManifest(dirname(sandbox.manifest))
  const { accounts, contracts, urls } = manifest
  const rpc = createRpc(urls.rpc)

  /** Mines sent transactions, none of which may revert. */
  const mineAll = async (hashes: readonly Hex[]): Promise<readonly Receipt[]> => {
    const { timestamp } = await latestBlock(rpc)
    await mineAt(rpc, Math.max(Number(timestamp) + 1, Math.floor(Date.now() / 1000)))
    const receipts: Receipt[] = []
    for (const hash of hashes) {
      const receipt = await rpc.call<Receipt>('eth_getTransactionReceipt', hash)
      if (receipt.status !== '0x1') throw new Error(`transaction ${hash} reverted`)
      receipts.push(receipt)
    }
    return receipts
  }

  const deployQuoter = async (
    { abi, bytecode }: Artifact,
    args: readonly Address[],
  ): Promise<Address> => {
    const hash = await deploy(rpc, accounts.deployer, encodeDeployData({ abi, bytecode, args }))
    const [receipt] = await mineAll([hash])
    if (!receipt?.contractAddress) throw new Error('a quoter was not deployed')
    return receipt.contractAddress
  }

  const { factory, forkFactory, poolManager, wrappedNative } = contracts
  const { pancakeFactory, pancakePoolDeployer, algebraFactory, algebraPoolDeployer } = contracts
  const quoters: Readonly<Record<VenueName, Address>> = {
    'Uniswap v3': await deployQuoter(readArtifact(paths.v3), [factory, wrappedNative]),
    'Fork v3': await deployQuoter(readArtifact(paths.v3), [forkFactory, wrappedNative]),
    'PancakeSwap v3': await deployQuoter(readArtifact(paths.pancake), [
      ...[pancakePoolDeployer, pancakeFactory, wrappedNative],
    ]),
    Slipstream: await deployQuoter(findArtifact(await compileContracts(), 'SlipstreamQuoter'), [
      contracts.slipstreamFactory,
    ]),
    'Algebra Integral': await deployQuoter(readArtifact(paths.algebra), [
      ...[algebraFactory, wrappedNative, algebraPoolDeployer],
    ]),
    'Uniswap v4': await deployQuoter(readArtifact(paths.v4), [poolManager]),
  }

  return {
    sandbox,
    manifest,
    rpc,
    quoters,
    /** Each call in a transaction of its own. */
    transact: async (calls: readonly Call[]): Promise<readonly Receipt[]> => {
      const hashes: Hex[] = []
      for (const call of calls) hashes.push(await send(rpc, accounts.deployer, call))
      return mineAll(hashes)
    },
    /** So many blocks that an indexer reads the newest one of before. */
    mineConfirmations: (): Promise<unknown> =>
      rpc.call('anvil_mine', toHex(blocksUntilIndexed), '0x0'),
  }
}
