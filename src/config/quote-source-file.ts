import { resolve } from 'node:path'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { QuoteSourceTarget } from './network.ts'
import { schemaFault } from './schema-fault.ts'
import { label, object, url } from './schema-parts.ts'
import { secretUrl } from './secret-url.ts'

type Reader = (
  json: unknown,
  place: { readonly at: string; readonly directory: string },
) => Outcome<QuoteSourceTarget, string>

/** One schema per kind, so that a mistake is told in terms of the kind that was meant. */
const reader =
  <Schema extends TSchema>(
    schema: Schema,
    build: (json: Static<Schema>, directory: string) => QuoteSourceTarget,
  ): Reader =>
  (json, { at, directory }) =>
    Value.Check(schema, json)
      ? success(build(json, directory))
      : failure(schemaFault(schema, json, at) ?? at)

const readers: Readonly<Record<string, Reader>> = {
  issuer: reader(object({ kind: Type.Literal('issuer'), url }), (json) => ({
    kind: 'issuer',
    url: secretUrl(json.url),
  })),
  chainlink: reader(object({ kind: Type.Literal('chainlink') }), () => ({ kind: 'chainlink' })),
  file: reader(object({ kind: Type.Literal('file'), path: label }), (json, directory) => ({
    kind: 'file',
    path: resolve(directory, json.path),
  })),
}

/** Reads the list `quoteSources`; a relative path counts from the network file's directory. */
export const readQuoteSources = (
  rows: readonly { readonly kind: string }[],
  directory: string,
): Outcome<readonly QuoteSourceTarget[], string> => {
  const sources: QuoteSourceTarget[] = []
  for (const [i, row] of rows.entries()) {
    const at = `quoteSources[${i}]`
    const read = Object.hasOwn(readers, row.kind) ? readers[row.kind] : undefined
    if (read === undefined) {
      return failure(`${at}.kind: expected one of ${Object.keys(readers).join(', ')}`)
    }
    if (sources.some((source) => source.kind === row.kind)) return failure(`${at}.kind: given twice`)
    const source = read(row, { at, directory })
    if (!source.ok) return source
    sources.push(source.value)
  }
  return success(sources)
}
