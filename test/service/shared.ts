import { inject } from 'vitest'
import { sleep } from './api.ts'
import type { SharedService } from './setup.ts'

const waitMs = 100

const ask = async (): Promise<SharedService> => {
  for (;;) {
    const answer = await fetch(inject('starterUrl'))
    if (answer.status === 200) return (await answer.json()) as SharedService
    const text = await answer.text()
    if (answer.status !== 202) throw new Error(text)
    await sleep(waitMs)
  }
}

/** The service that all of these tests use; the first import starts it. */
export const { baseUrl, sandboxDir } = await ask()
