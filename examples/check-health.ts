import { createClient } from '../src/client/client.ts'

/* Ends with exit code 1 unless every source is ok: for a cron job or a container's health check. */

const [url = 'http://127.0.0.1:8787'] = process.argv.slice(2)
const { ok, sources } = await createClient(url).health()

for (const { source, state, ageSeconds, lastError } of sources) {
  console.log(source, state, `${ageSeconds ?? 'never'} s`, lastError ?? '')
}
process.exitCode = ok && sources.every(({ state }) => state === 'ok') ? 0 : 1
