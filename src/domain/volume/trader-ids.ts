import type { Address } from '../units.ts'

export const noTrader = -1

/** Small numbers for the traders of a window, free again once none of their swaps is left. */
export const createTraderIds = () => {
  const ids = new Map<Address, number>()
  const addresses: (Address | null)[] = []
  const uses: number[] = []
  const free: number[] = []
  return {
    acquire: (address: Address): number => {
      const id = ids.get(address) ?? free.pop() ?? addresses.length
      if (!ids.has(address)) {
        ids.set(address, id)
        addresses[id] = address
        uses[id] = 0
      }
      uses[id] = (uses[id] ?? 0) + 1
      return id
    },
    release: (id: number): void => {
      const left = (uses[id] ?? 0) - 1
      uses[id] = left
      const address = addresses[id]
      if (left > 0 || address === null || address === undefined) return
      ids.delete(address)
      addresses[id] = null
      free.push(id)
    },
  }
}
