import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { Abi } from 'viem'
import type { OwnArtifacts, Sources } from './compile.ts'

type SolcOutput = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Record<
    string,
    Record<string, { readonly abi: Abi; readonly evm: { bytecode: { object: string } } }>
  >
}

function compile(sources: Sources): OwnArtifacts {
  const solc = createRequire(import.meta.url)('solc') as { compile: (input: string) => string }
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      Object.entries(sources).map(([file, content]) => [file, { content }]),
    ),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'cancun',
      // Without the metadata hash, bytecode and CREATE2 addresses depend on the code only.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error')
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
  const contracts = Object.values(output.contracts).flatMap((file) => Object.entries(file))
  return Object.fromEntries(
    contracts.map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }]),
  )
}

parentPort?.postMessage(compile(workerData as Sources))
