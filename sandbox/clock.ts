/** The sandbox's only clock: everything else takes the time as an argument or calls these. */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

export const nowMillis = (): number => Date.now()

export const sleep = (millis: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, millis))
