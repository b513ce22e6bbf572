import {
  collectVerifiedNames,
  findImitations,
  type NamedToken,
  type VerifiedName,
  type VerifiedNames,
} from '../../domain/token/look-alike.ts'
import type { Address } from '../../domain/units.ts'

/** The tokens in memory that imitate a verified one. */
export type LookAlikeIndex = {
  readonly names: () => VerifiedNames
  /** May include tokens that have become verified. */
  readonly addresses: ReadonlySet<Address>
  /** Reads the verified tokens again; false if their names are as before. */
  readonly update: () => boolean
  /** The symbol of the verified token that a token imitates; null for nearly all. */
  readonly imitatedBy: (token: NamedToken) => string | null
  /** The same, and keeps the token's address if it imitates one. */
  readonly note: (token: NamedToken) => string | null
}

export const createLookAlikeIndex = (
  listVerified: () => readonly VerifiedName[],
): LookAlikeIndex => {
  const addresses = new Set<Address>()
  let names = collectVerifiedNames(listVerified())

  const imitatedBy = (token: NamedToken): string | null =>
    findImitations(names, token)[0]?.of.symbol ?? null

  return {
    names: () => names,
    addresses,
    update: () => {
      const next = listVerified()
      if (JSON.stringify(next) === JSON.stringify(names.all)) return false
      names = collectVerifiedNames(next)
      return true
    },
    imitatedBy,
    note: (token) => {
      const imitated = imitatedBy(token)
      if (imitated === null) addresses.delete(token.address)
      else addresses.add(token.address)
      return imitated
    },
  }
}
