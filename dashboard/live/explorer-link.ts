/** The kinds of pages that explorers have under these very names. */
export type ExplorerPage = 'address' | 'token' | 'tx'

const hexText = /^0x[0-9a-f]+$/i

const isNative = (hex: string): boolean => /^0x0+$/.test(hex)

/** The page of an address, token or transaction; null without an explorer or such a page. */
export const explorerLink = (
  explorerUrl: string | null,
  page: ExplorerPage,
  hex: string,
): string | null => {
  // A native coin and a pool without a hook have the zero address, which is nobody's page.
  if (explorerUrl === null || !hexText.test(hex) || isNative(hex)) return null
  if (!explorerUrl.startsWith('https://')) return null
  return `${explorerUrl.replace(/\/+$/, '')}/${page}/${encodeURIComponent(hex)}`
}

const addressCharacters = 42

/** A v3 pool is a contract with a page of its own; a v4 pool only an id inside another contract. */
export const poolPageOf = (id: string): ExplorerPage | null =>
  id.length === addressCharacters ? 'address' : null
