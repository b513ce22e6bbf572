import { failure, type Outcome, success } from '../domain/outcome.ts'
import { createSecretUrl, type SecretUrl } from './secret-url.ts'
import { quoteForMessage, readTextFile } from './user-input.ts'

const sslModes = ['disable', 'require', 'verify-ca', 'verify-full']

/** Supported parameters. Others are rejected, because the driver would ignore them silently. */
const parameters = [
  'application_name',
  'host',
  'options',
  'passwordfile',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslrootcert',
]

const parameterFault = ({ searchParams }: URL): string | null => {
  const names = [...searchParams.keys()]
  const unknown = names.find((name) => !parameters.includes(name))
  if (unknown !== undefined) {
    return `unknown parameter ${quoteForMessage(unknown)}, expected one of ${parameters.join(', ')}`
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) return `parameter ${twice} is given twice`
  const mode = searchParams.get('sslmode')
  if (mode !== null && !sslModes.includes(mode))
    return `sslmode: expected one of ${sslModes.join(', ')}`
  const lacksRootCertificate = mode === 'verify-ca' && !searchParams.has('sslrootcert')
  return lacksRootCertificate ? 'sslmode verify-ca requires sslrootcert' : null
}

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const urlFault = (url: URL): string | null => {
  const { username, password, pathname, host, searchParams } = url
  if (![username, password, pathname].every(isDecodable)) return 'a % must be written %25'
  if (url.hash !== '') return 'a # must be written %23'
  if (!/^\/[^/]+$/.test(pathname))
    return 'expected one database, as in postgres://<host>/<database>'
  if (host.includes(',')) return 'expected one host'
  if (host === '' && !searchParams.has('host')) return 'expected a host'
  return parameterFault(url)
}

/** Moves the password of a mounted secret file into the URL. */
const takePasswordFile = (url: URL): string | null => {
  const path = url.searchParams.get('passwordfile')
  if (path === null) return null
  if (url.password !== '') return 'expected a password or a passwordfile, not both'
  const text = readTextFile(path)
  if (!text.ok) return `passwordfile ${quoteForMessage(path)}: ${text.fault}`
  const password = text.value.replace(/\r?\n$/, '')
  if (password === '') return `passwordfile ${quoteForMessage(path)}: the file is empty`
  url.password = encodeURIComponent(password)
  url.searchParams.delete('passwordfile')
  return null
}

/**
 * Parses the URL of a PostgreSQL database. The fault does not quote user, password or host.
 * `sslmode` has the meaning of psql (postgresql.org/docs, "SSL Mode Descriptions").
 */
export const parsePostgresUrl = (text: string): Outcome<SecretUrl, string> => {
  const url = /\s/.test(text) ? null : URL.parse(text)
  if (url === null) return failure('expected postgres://<user>@<host>:<port>/<database>')
  const fault = urlFault(url) ?? takePasswordFile(url)
  if (fault !== null) return failure(fault)
  // Without this parameter the driver gives `sslmode` another meaning and prints a warning.
  if (url.searchParams.has('sslmode')) url.searchParams.set('uselibpqcompat', 'true')
  return success(createSecretUrl(url.host === '' ? 'local socket' : url.host, url.href))
}
