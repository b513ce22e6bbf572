import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { decodeBody } from '../../../src/net/response-body.ts'
import { createPatientHttpClient } from '../net/loopback.ts'

/** An account that the node signs for. */
export const anvilSender = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

const anvilPath = (): string => {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${arch}/package.json`
  return join(dirname(createRequire(import.meta.url).resolve(name)), 'bin', 'anvil')
}

const listening = async (child: ChildProcess): Promise<string> => {
  for await (const chunk of child.stdout ?? []) {
    const address = /Listening on (\S+)/.exec(String(chunk))?.[1]
    if (address !== undefined) return `http://${address}`
  }
  throw new Error('anvil ended before it listened')
}

/** A real EVM on a free port, with these flags. */
export const startAnvil = async (flags: readonly string[]) => {
  const child = spawn(anvilPath(), ['--port', '0', '--chain-id', '4663', ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const url = await listening(child)
  child.stdout?.resume()
  return {
    url,
    ask: async <T>(method: string, ...params: unknown[]): Promise<T> => {
      const answer = await createPatientHttpClient()({
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        deadlineMs: 10_000,
        bytesMax: 1e7,
      })
      const { result, error } = JSON.parse(
        answer.ok ? decodeBody(answer.value.body) : '{"error":"no answer"}',
      )
      if (error !== undefined) throw new Error(JSON.stringify(error))
      return result
    },
    stop: async (): Promise<void> => {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

export type TestAnvil = Awaited<ReturnType<typeof startAnvil>>
