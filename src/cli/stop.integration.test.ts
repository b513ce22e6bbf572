import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startProcess } from '../../test/setup/processes.ts'

const stop = new URL('stop.ts', import.meta.url).href

/** A process that talks, listens for stops with a limit of 300 ms and then does `whenAsked`. */
const start = (whenAsked: string) => {
  const code = `
    import { listenForStop } from ${JSON.stringify(stop)}
    const signal = listenForStop(() => process.exit(1), 300)
    let asked = 0
    signal.addEventListener('abort', () => { asked += 1; ${whenAsked} })
    setInterval(() => console.log('ready'), 20)
  `
  const args = ['--input-type=module', '--eval', code]
  const running = startProcess(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const exitCode = once(running.child, 'exit').then(([exit]) => exit as number | null)
  return { ...running, exitCode }
}
const inOrder = 'setTimeout(() => process.exit(asked === 1 ? 0 : 2), 100)'

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s asks to stop, once', async (signal) => {
  const { child, exitCode, says } = start(inOrder)
  await says(/ready/)
  child.kill(signal)
  child.kill(signal)
  expect(await exitCode).toBe(0)
})

test('a stop that hangs is ended with code 1', async () => {
  const { child, exitCode, says } = start('')
  await says(/ready/)
  child.kill('SIGTERM')
  expect(await exitCode).toBe(1)
})

test('a launcher that vanishes asks to stop', async () => {
  const { child, exitCode, says } = start(inOrder)
  await says(/ready/)
  child.disconnect()
  expect(await exitCode).toBe(0)
})

test('stops when the output is closed', async () => {
  const { child, exitCode, says } = start(inOrder)
  await says(/ready/)
  child.stdout?.destroy()
  expect(await exitCode).toBe(0)
})
