import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startForTest } from '../support/api/harness.ts'

/* The protocol's own conformance suite as its authors run it: a process that asks over HTTP. */

const program = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'),
)

type Run = { readonly code: number; readonly output: string }

const runScenario = (scenario: string, url: string): Promise<Run> => {
  const folder = mkdtempSync(join(tmpdir(), 'stockpools-conformance-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const args = [program, 'server', '--url', url, '--scenario', scenario]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr })
    })
  })
}

const scenarios = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']

test.each(scenarios)('MCP passes %s', async (scenario) => {
  const { port } = await startForTest()
  const { code, output } = await runScenario(scenario, `http://127.0.0.1:${port}/mcp`)
  expect(output).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/)
  expect(code, output).toBe(0)
})
