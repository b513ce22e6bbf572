import { createHash } from 'node:crypto'
import { listParameters, methodologyVersion, parametersText } from '../domain/methodology.ts'
import { policyDefault } from '../domain/status/freshness.ts'

/** Version and hash of the methodology, as `GET /api/v1/methodology` has them by default. */
export const currentMethodology = (): { readonly version: string; readonly hash: string } => {
  const text = parametersText(methodologyVersion, listParameters(policyDefault))
  const hash = createHash('sha256').update(text).digest('hex')
  return { version: methodologyVersion, hash: `0x${hash}` }
}
