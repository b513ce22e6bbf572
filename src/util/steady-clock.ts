type Clock = { readonly now: () => number }

/**
 * A clock for waits: where the given one is set back, its time stands still instead, so that a wait
 * that began while the machine's clock was an hour ahead does not last an hour longer. It notices
 * what happens between two readings.
 */
export const createSteadyClock = (clock: Clock): Clock => {
  let last = clock.now()
  let offset = 0
  return {
    now: () => {
      const now = clock.now()
      if (now < last) offset += last - now
      last = now
      return now + offset
    },
  }
}
