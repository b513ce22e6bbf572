import { errorText } from '../../util/error-text.ts'
import { connectDirect } from './direct-connection.ts'

/**
 * Result of the first connection to a database. `refused`: the configuration is wrong; `away`: a
 * retry may succeed. The fault is one line.
 */
export type ConnectionCheck =
  | { readonly kind: 'reached' }
  | { readonly kind: 'refused' | 'away'; readonly fault: string }

/** PostgreSQL's version in the form of `server_version_num`. */
const versionMin = 150_000

/** SQLSTATEs (postgresql.org/docs, appendix A) that a retry does not change. */
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

/** Describes a connection error without secrets. */
export const classifyConnectError = (
  error: unknown,
): Exclude<ConnectionCheck, { kind: 'reached' }> => {
  const known = refusals[codeOf(error)]
  if (known !== undefined) return { kind: 'refused', fault: known }
  const message = errorText(error).split('\n')[0] ?? ''
  const kind = refusalTexts.some((text) => text.test(message)) ? 'refused' : 'away'
  return { kind, fault: `cannot be reached (${message})` }
}

/** Connects once, to report at start what a retry would not change. */
export const checkConnection = async (url: string): Promise<ConnectionCheck> => {
  const connection = connectDirect({ url, name: 'stockpools start' })
  try {
    const [row] = await connection.query("SELECT current_setting('server_version_num') AS version")
    const version = Number(row?.version)
    if (version >= versionMin) return { kind: 'reached' }
    return {
      kind: 'refused',
      fault: `is PostgreSQL ${Math.floor(version / 10_000)}, not 15 or newer`,
    }
  } catch (error) {
    return classifyConnectError(error)
  } finally {
    connection.close()
  }
}
