/** Page kinds that explorers have under these names. */
export type ExplorerPage = 'address' | 'token' | 'tx'

const hexText = /^0x[0-9a-f]+$/i

const isNative = (hex: string): boolean => /^0x0+$/.test(hex)

/** The page of an address, token or transaction; null without an explorer or such a page. */
export const explorerLink = (
  explorerUrl: string | null,
  page: ExplorerPage,
  hex: string,
): string | null => {
  // The zero address stands for a native coin or no hook and has no page.
  if (explorerUrl === null || !hexText.test(hex) || isNative(hex)) return null
  if (!explorerUrl.startsWith('https://')) return null
  return `${explorerUrl.replace(/\/+$/, '')}/${page}/${encodeURIComponent(hex)}`
}

const addressCharacters = 42

/** A v3 pool is a contract with a page; a v4 pool is only an id inside the PoolManager. */
export const poolExplorerPage = (id: string): ExplorerPage | null =>
  id.length === addressCharacters ? 'address' : null
