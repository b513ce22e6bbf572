/** 0x320189db…c303 */
export const shortHex = (hex: string): string =>
  hex.length <= 14 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`
