import type { Pool } from '../../src/client/types.ts'

/** A smaller part is not worth a word. */
const shareShown = 0.05
const shareMost = 0.5

/** What the volume's filter leaves out, in a few words; null: little, or not known. */
export const washWords = ({ washShare24h }: Pick<Pool, 'washShare24h'>): string | null => {
  if (washShare24h === null || washShare24h < shareShown) return null
  const part = `${Math.floor(washShare24h * 100)}% left out`
  return washShare24h >= shareMost ? `${part}: most of the volume is wash trading` : part
}
