import { readFileSync } from 'node:fs'
import type { Abi, Hex } from 'viem'
import type { Artifact } from './compile.ts'
import { pathInPackage } from './packages.ts'

/** The DEXes' own compiled contracts, from their npm packages. */
export type UniswapArtifacts = {
  readonly factory: Artifact
  readonly pool: Artifact
  readonly tickLens: Artifact
  readonly poolManager: Artifact
  readonly stateView: Artifact
  readonly weth: Artifact
  readonly pancakeFactory: Artifact
  readonly pancakePool: Artifact
  readonly algebraFactory: Artifact
  readonly algebraPoolDeployer: Artifact
  readonly algebraPool: Artifact
}

const paths = {
  factory: '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
  pool: '@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json',
  tickLens: '@uniswap/v3-periphery/artifacts/contracts/lens/TickLens.sol/TickLens.json',
  poolManager: '@uniswap/v4-core/out/PoolManager.sol/PoolManager.json',
  stateView: '@uniswap/v4-periphery/foundry-out/StateView.sol/StateView.json',
  weth: '@uniswap/v4-periphery/foundry-out/WETH.sol/WETH.default.json',
  pancakeFactory:
    '@pancakeswap/v3-core/artifacts/contracts/PancakeV3Factory.sol/PancakeV3Factory.json',
  pancakePool: '@pancakeswap/v3-core/artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json',
  algebraFactory:
    '@cryptoalgebra/integral-core/artifacts/contracts/AlgebraFactory.sol/AlgebraFactory.json',
  algebraPoolDeployer:
    '@cryptoalgebra/integral-core/artifacts/contracts/AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json',
  algebraPool: '@cryptoalgebra/integral-core/artifacts/contracts/AlgebraPool.sol/AlgebraPool.json',
} as const

export function readUniswapArtifacts(): UniswapArtifacts {
  const entries = Object.entries(paths).map(([name, path]) => [name, readArtifact(path)])
  return Object.fromEntries(entries) as UniswapArtifacts
}

/** Hardhat writes `bytecode` as a string, Foundry as `{ object }`. */
export function readArtifact(path: string): Artifact {
  const json = JSON.parse(readFileSync(pathInPackage(path), 'utf8')) as {
    abi: Abi
    bytecode: Hex | { object: Hex }
  }
  const { abi, bytecode } = json
  return { abi, bytecode: typeof bytecode === 'string' ? bytecode : bytecode.object }
}
