import { errorText } from '../../util/error-text.ts'
import { connectDirect } from './direct-connection.ts'

/**
 * What came of asking a database for the first time. `refused`: as it is configured it will never
 * answer; `away`: it may, a moment later. The fault is one line.
 */
export type ConnectionCheck =
  | { readonly kind: 'reached' }
  | { readonly kind: 'refused' | 'away'; readonly fault: string }

/** PostgreSQL's version in the form of `server_version_num`. */
const versionMin = 150_000

/** SQLSTATEs (postgresql.org/docs, appendix A) that a second try meets as well. */
const refusals: Readonly<Record<string, string>> = {
  '28000': 'does not let this user in',
  '28P01': 'does not accept this password',
  '3D000': 'has no such database',
  '42501': 'does not let this user do that',
}

const refusalTexts = [
  /does not support SSL/i,
  /SASL|SCRAM|password must be a string/,
  /no pg_hba\.conf entry/,
  /certificate/i,
  /ENOENT.*\.(?:crt|key|pem)/,
]

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Why a database could not be asked, in a few words that hold no secret. */
export const classifyConnectError = (
  error: unknown,
): Exclude<ConnectionCheck, { kind: 'reached' }> => {
  const known = refusals[codeOf(error)]
  if (known !== undefined) return { kind: 'refused', fault: known }
  const message = errorText(error).split('\n')[0] ?? ''
  const kind = refusalTexts.some((text) => text.test(message)) ? 'refused' : 'away'
  return { kind, fault: `can not be reached (${message})` }
}

/** Asks a database once, to say at once what waiting would not mend. */
export const checkConnection = async (url: string): Promise<ConnectionCheck> => {
  const line = connectDirect({ url, name: 'stockpools start' })
  try {
    const [row] = await line.query("SELECT current_setting('server_version_num') AS version")
    const version = Number(row?.version)
    if (version >= versionMin) return { kind: 'reached' }
    return {
      kind: 'refused',
      fault: `is PostgreSQL ${Math.floor(version / 10_000)}, not 15 or newer`,
    }
  } catch (error) {
    return classifyConnectError(error)
  } finally {
    line.close()
  }
}
