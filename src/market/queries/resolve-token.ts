import { known } from '../../domain/reading.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import { squash } from '../../domain/token/confusables.ts'
import {
  findImitations,
  findNames,
  nameForms,
  type VerifiedName,
} from '../../domain/token/look-alike.ts'
import type { Address } from '../../domain/units.ts'
import type {
  ResolvedTokenView,
  ResolveMatch,
  UnverifiedTokenView,
  VerifiedTokenView,
} from '../../domain/views/resolved-token.ts'
import { candidatesMax, lookAlikesMax } from '../market.ts'
import { type TokenInfo, toNamedToken } from '../model/token-index.ts'
import { findRows, type PoolRow } from '../valuation/pool-rows.ts'
import type { ValuedMarket } from '../valuation/valued-market.ts'

type Verified = VerifiedName & { readonly address: Address }

const isToken = (name: VerifiedName): name is Verified => name.address !== null

const compareLiquidity = (a: UnverifiedTokenView, b: UnverifiedTokenView): number =>
  (b.liquidityUsd ?? -1) - (a.liquidityUsd ?? -1) || (a.address < b.address ? -1 : 1)

const addressPattern = /^0x[0-9a-f]{40}$/
const toAddress = (q: string): Address | null => {
  const lower = q.toLowerCase()
  return addressPattern.test(lower) ? (lower as Address) : null
}

/** A larger text is found by a part of it from this length on. */
const partCharsMin = 2

/** The verified tokens that a text names: by symbol, else by name; equal ones only. */
const findNamed = (
  all: readonly Verified[],
  q: string,
): { readonly found: readonly Verified[]; readonly match: ResolveMatch | null } => {
  const text = squash(q)
  if (text === '') return { found: [], match: null }
  const [full, short] = nameForms(q)
  const rules: readonly (readonly [ResolveMatch, (token: Verified) => boolean])[] = [
    ['symbol', ({ symbol }) => squash(symbol) === text],
    ['name', ({ name }) => name !== null && nameForms(name)[0] === full],
    ['name', ({ name }) => name !== null && nameForms(name)[1] === short],
  ]
  for (const [match, isMeant] of rules) {
    const found = all.filter(isMeant)
    if (found.length > 0) return { found, match }
  }
  return { found: [], match: null }
}

const containsText =
  (text: string) =>
  ({ symbol, name }: Verified): boolean =>
    squash(symbol).startsWith(text) || squash(name ?? '').includes(text)

const nothing: Omit<ResolvedTokenView, 'q'> = {
  ...{ result: 'unknown', match: null, token: null, asked: null, candidates: [] },
  ...{ lookAlikes: [], lookAlikesTotal: 0 },
}

/** Resolves texts and addresses in one valued market (docs/methodology.md §15). */
const createResolver = ({ model, rows }: ValuedMarket) => {
  const { names } = model
  const verifiedNames = names.names()
  const all = verifiedNames.all.filter(isToken)

  const toVerified = ({ address, symbol, name }: Verified): VerifiedTokenView => {
    const stock: Stock | undefined = model.stocks.get(address)
    const kind = stock === undefined ? 'trusted' : 'stock'
    return { address, symbol, name, kind, issuer: stock?.issuer ?? null }
  }

  const toUnverified = (info: TokenInfo): UnverifiedTokenView => {
    const own: readonly PoolRow[] = findRows(rows, model.numbersWith(info.address))
    const deepest = own.reduce<PoolRow | null>(
      (best, row) => (best && (best.liquidityUsd ?? -1) >= (row.liquidityUsd ?? -1) ? best : row),
      null,
    )
    const imitations = findImitations(verifiedNames, toNamedToken(info))
    return {
      address: info.address,
      symbol: info.symbol,
      imitates: imitations.map(({ of: { symbol, address }, signs }) => ({
        symbol,
        address,
        signs,
      })),
      pools: own.length,
      poolId: deepest?.pool.id ?? null,
      liquidityUsd: deepest?.liquidityUsd ?? null,
    }
  }

  const lookAlikesOf = (tokens: readonly Verified[]): readonly UnverifiedTokenView[] => {
    if (tokens.length === 0) return []
    const imitated = new Set<Address | null>(tokens.map(({ address }) => address))
    const infos = [...names.addresses].flatMap((address) => names.find(address) ?? [])
    return infos
      .filter((info) => info.imitates !== null)
      .filter((info) =>
        findImitations(verifiedNames, toNamedToken(info)).some(({ of }) =>
          imitated.has(of.address),
        ),
      )
      .map(toUnverified)
      .sort(compareLiquidity)
  }

  type Found = Pick<ResolvedTokenView, 'result' | 'match'> &
    Partial<Pick<ResolvedTokenView, 'asked'>> & {
      readonly token?: Verified
      readonly candidates?: readonly Verified[]
    }

  /** Of a stock that the chain has not confirmed yet, and that no pool holds. */
  const listedInfo = (address: Address): TokenInfo | undefined => {
    const { symbol, decimals, verdict } = model.stocks.get(address) ?? { verdict: 'disproven' }
    if (verdict === 'disproven' || symbol === undefined) return undefined
    return { address, symbol, decimals: known(decimals), text: '', imitates: null }
  }

  const ofAddress = (address: Address): Found => {
    const token = all.find((each) => each.address === address)
    if (token !== undefined) return { result: 'verified', match: 'address', token }
    const info = names.find(address) ?? listedInfo(address)
    if (info === undefined) return { result: 'unknown', match: null }
    const asked = toUnverified(info)
    const imitated = new Set(asked.imitates.map((each) => each.address))
    return {
      ...{ match: 'address', asked, candidates: all.filter((each) => imitated.has(each.address)) },
      result: asked.imitates.length > 0 ? 'look_alike' : 'unverified',
    }
  }

  const ofText = (q: string): Found => {
    const { found, match } = findNamed(all, q)
    const [token] = found
    if (found.length > 1) return { result: 'candidates', match, candidates: found }
    if (token !== undefined) return { result: 'verified', match, token }
    const alike = findNames(verifiedNames, q).map(({ of }) => of)
    if (alike.length > 0) {
      const candidates = [...new Set(alike)].filter(isToken)
      return { result: 'look_alike', match: null, candidates }
    }
    const text = squash(q)
    const candidates = text.length < partCharsMin ? [] : all.filter(containsText(text))
    return { result: candidates.length > 0 ? 'candidates' : 'unknown', match: null, candidates }
  }

  return (q: string): ResolvedTokenView => {
    const address = toAddress(q)
    const found = address === null ? ofText(q) : ofAddress(address)
    const { token = null, candidates = [], asked = null, result, match } = found
    const shown = candidates.slice(0, candidatesMax)
    const isPart = result === 'candidates' && match === null
    const imitated = token === null ? shown : [token]
    const lookAlikes = isPart || asked !== null ? [] : lookAlikesOf(imitated)
    return {
      ...{ q, result, match, asked, token: token && toVerified(token) },
      candidates: shown.map(toVerified),
      lookAlikes: lookAlikes.slice(0, lookAlikesMax),
      lookAlikesTotal: lookAlikes.length,
    }
  }
}

/** Null before the first snapshot. */
export const resolveToken = (market: ValuedMarket | null, q: string): ResolvedTokenView =>
  market === null ? { ...nothing, q } : createResolver(market)(q)
