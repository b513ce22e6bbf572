import { builtInNames, resolveLaunch } from '../../config/config.ts'
import type { Network } from '../../config/network.ts'
import type { VerifyRequest } from '../../config/verify-command.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { createConsole } from '../../log/console.ts'
import { createHttpClient } from '../../net/http-client.ts'
import { systemTimer } from '../../net/timer.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import { createPace } from '../../verify/node/pace.ts'
import { createBlocks } from '../../verify/run/blocks.ts'
import { type VerifyDeps, verifyService } from '../../verify/run/verify-service.ts'
import { createAskService } from '../../verify/service/ask-service.ts'
import { createServiceReader, type ServiceIdentity } from '../../verify/service/service-reader.ts'
import { createVerifierNode } from '../../verify/verifier-node.ts'
import { systemClock } from '../clock.ts'
import { systemRandom } from '../compose/adapters.ts'
import { toStandardOf } from '../compose/network.ts'
import { formatJson, formatTable, reportExitCode, type VerifyReport } from './verify-report.ts'
import type { serveStore } from './verify-store.ts'

type ProcessControl = {
  readonly stop: AbortSignal
  /** Writes one line to standard error. */
  readonly reportError: (text: string) => void
}

/** Calls in one request: public nodes allow a hundred or more. */
const batchMax = 100

/** The network file of the reader; null where none is named and none is built in. */
const readNetwork = (
  { network, rpc }: VerifyRequest,
  { network: published }: ServiceIdentity,
): Outcome<Network | null, string> => {
  if (network === null && !builtInNames.includes(published)) return success(null)
  const args = ['--network', network ?? published, '--rpc', rpc.reveal()]
  const launch = resolveLaunch({ role: 'api', args, environment: {} })
  if (!launch.ok) return launch
  return launch.value.kind === 'network' ? success(launch.value.config.network) : success(null)
}

type Sources = Pick<VerifyDeps, 'service' | 'node'>

const openSources = (request: VerifyRequest, apiUrl: string, stop: AbortSignal): Sources => {
  const { rpc, requestsPerSecond } = request
  const httpClient = createHttpClient({ signal: stop })
  const timer = systemTimer
  const node = createVerifierNode({
    ...{ url: rpc.reveal(), httpClient, timer, requestsPerSecond, batchMax },
  })
  const pace = createPace(timer, requestsPerSecond)
  const ask = createAskService({ url: apiUrl, httpClient, timer, pace })
  return { node, service: createServiceReader(ask) }
}

const verifyAt = async (
  request: VerifyRequest,
  apiUrl: string,
  { stop, onProgress }: { readonly stop: AbortSignal } & Pick<VerifyDeps, 'onProgress'>,
): Promise<Outcome<VerifyReport, string>> => {
  const { target, block, tiers } = request
  const { node, service } = openSources(request, apiUrl, stop)
  const identity = await service.readIdentity()
  if (!identity.ok) return failure(identity.fault.reason)
  const network = readNetwork(request, identity.value)
  if (!network.ok) return network
  const { chainId } = identity.value
  if (network.value !== null && network.value.chainId !== chainId) {
    const own = network.value.chainId
    return failure(`the network file is of chain ${own}, the service of chain ${chainId}`)
  }
  const chain = await node.requireChain(chainId)
  if (!chain.ok) return failure(chain.fault.reason)
  const result = await verifyService(
    {
      ...{ node, service, block, onProgress },
      blocks: createBlocks(node),
      venues: network.value?.venues ?? [],
      standardOf: network.value && toStandardOf(network.value),
      tiers: new Set(tiers),
      version: identity.value.methodologyVersion,
      random: systemRandom,
    },
    target,
  )
  if (!result.ok) return result
  return success({ ...result.value, asked: tiers, isBrief: target.kind !== 'pools' })
}

/** Imported late: a service is checked without loading one. */
const openStore: typeof serveStore = async (...given) => {
  const { serveStore: serve } = await import('./verify-store.ts')
  return serve(...given)
}

/** A pipe takes 64 KB at once; what it has not taken when the process exits is lost. */
const print = (text: string): Promise<void> =>
  new Promise((resolve) => process.stdout.write(text, () => resolve()))

/**
 * Checks what a service or a store publishes by a node. Returns the exit code: 0 all that could be
 * checked holds, 1 something differs, 2 it could not run.
 */
export const runVerifyCommand = async (
  request: VerifyRequest,
  { stop, reportError }: ProcessControl,
): Promise<number> => {
  const { published, logLevel, isJson } = request
  // Standard output carries the report.
  const output = createConsole({ stream: process.stderr, level: logLevel, clock: systemClock })
  const { progress } = output
  const onProgress = (done: number, total: number): void =>
    progress.bootstrap({ phase: 'verify', done, total, events: null })
  const opened =
    published.kind === 'store' ? await openStore(request, published.store, output) : null
  if (opened?.ok === false) {
    reportError(opened.fault)
    return 2
  }
  const url = published.kind === 'service' ? published.url.reveal() : (opened?.value.url ?? '')
  const work = verifyAt(request, url, { stop, onProgress })
  const report = await Promise.race([work, untilAborted(stop)])
  progress.end()
  if (opened?.ok) await opened.value.close()
  if (report === undefined) return 2
  if (!report.ok) {
    reportError(report.fault)
    return 2
  }
  await print((isJson ? formatJson : formatTable)(report.value))
  return reportExitCode(report.value)
}
