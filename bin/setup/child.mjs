import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** The service gives itself 5 s to stop; a process that does not is killed. */
const killAfterMs = 7000

/**
 * Runs a child and hands on to it, once, the signal that stops us: we end when it has ended.
 * `onStart` receives a function that stops it for another reason.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(stop: (signal: NodeJS.Signals) => void, child: ChildProcess) => void} [onStart]
 * @returns {Promise<{ code: number, stopped: boolean, fault: string | null }>} the code as a shell
 *   counts it, whether we stopped it, and why it could not be started
 */
export const runChild = (command, args, options, onStart) =>
  new Promise((resolve) => {
    const child = spawn(command, args, options)
    let stopped = false
    const stop = (signal) => {
      if (stopped) return
      stopped = true
      child.kill(signal)
      setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref()
    }
    const end = (code, fault) => {
      for (const signal of stopSignals) process.off(signal, stop)
      resolve({ code, stopped, fault })
    }
    for (const signal of stopSignals) process.on(signal, stop)
    child.once('error', (error) => end(127, `cannot run ${command}: ${error.message}`))
    child.once('close', (code, signal) => end(code ?? 128 + constants.signals[signal], null))
    onStart?.(stop, child)
  })
