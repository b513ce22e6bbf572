import { resolve } from 'node:path'
import { type Static, type TSchema, Type } from 'typebox'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { QuoteSourceTarget } from './network.ts'
import { label, object, url } from './network-schema.ts'
import { secretUrl } from './secret-url.ts'
import { validateAgainstSchema } from './validate.ts'

type Reader<Target> = (
  json: unknown,
  location: { readonly at: readonly string[]; readonly directory: string },
) => Outcome<Target, string>

type Readers<Target> = Readonly<Record<string, Reader<Target>>>

/** One schema per kind, so that errors refer to the intended kind. */
export const quoteSourceReader =
  <Schema extends TSchema, Target>(
    schema: Schema,
    build: (json: Static<Schema>, directory: string) => Target,
  ): Reader<Target> =>
  (json, { at, directory }) => {
    const conformed = validateAgainstSchema(schema, json, at)
    return conformed.ok ? success(build(conformed.value, directory)) : conformed
  }

/** Settings of each kind of source in a network file. */
export const quoteSourceReaders: Readers<QuoteSourceTarget> = {
  issuer: quoteSourceReader(object({ kind: Type.Literal('issuer'), url }), (json) => ({
    kind: 'issuer',
    url: secretUrl(json.url),
  })),
  chainlink: quoteSourceReader(object({ kind: Type.Literal('chainlink') }), () => ({
    kind: 'chainlink',
  })),
  file: quoteSourceReader(
    object({ kind: Type.Literal('file'), path: label }),
    (json, directory) => ({
      kind: 'file',
      path: resolve(directory, json.path),
    }),
  ),
}

/** Reads the list `quoteSources`; relative paths are resolved against `directory`. */
export const readQuoteSources = <Target extends { readonly kind: string }>(
  readers: Readers<Target>,
  rows: readonly { readonly kind: string }[],
  directory: string,
): Outcome<readonly Target[], string> => {
  const sources: Target[] = []
  for (const [i, row] of rows.entries()) {
    const path = `quoteSources[${i}].kind`
    const read = Object.hasOwn(readers, row.kind) ? readers[row.kind] : undefined
    if (read === undefined) {
      return failure(`${path}: expected one of ${Object.keys(readers).join(', ')}`)
    }
    if (sources.some(({ kind }) => kind === row.kind)) return failure(`${path}: given twice`)
    const source = read(row, { at: ['quoteSources', String(i)], directory })
    if (!source.ok) return source
    sources.push(source.value)
  }
  return success(sources)
}
