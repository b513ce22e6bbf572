/** Page kinds that explorers have under these names. */
export type ExplorerPage = 'address' | 'token' | 'tx' | 'block'

const hexText = /^0x[0-9a-f]+$/i
const blockText = /^\d+$/

const isNative = (hex: string): boolean => /^0x0+$/.test(hex)

/** The page of an address, token, transaction or block; null without an explorer or such a page. */
export const explorerLink = (
  explorerUrl: string | null,
  page: ExplorerPage,
  id: string,
): string | null => {
  // The zero address stands for a native coin or no hook and has no page.
  const idText = page === 'block' ? blockText : hexText
  if (explorerUrl === null || !idText.test(id) || isNative(id)) return null
  if (!explorerUrl.startsWith('https://')) return null
  return `${explorerUrl.replace(/\/+$/, '')}/${page}/${encodeURIComponent(id)}`
}

const addressCharacters = 42

/** A v3 pool is a contract with a page; a v4 pool is only an id inside the PoolManager. */
export const poolExplorerPage = (id: string): ExplorerPage | null =>
  id.length === addressCharacters ? 'address' : null
