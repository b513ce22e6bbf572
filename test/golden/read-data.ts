import { readFileSync } from 'node:fs'
import type { ChainLog } from '../../src/domain/chain/log.ts'

/** A recorded file of `data/`; the caller says what it holds (see SOURCES.md). */
export const readData = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`data/${name}.json`, import.meta.url), 'utf8')) as T

const hashOfNothing = `0x${'0'.repeat(64)}` as const

/** A recorded log; what its source did not record is zero. */
export const chainLog = (
  recorded: Pick<ChainLog, 'address' | 'topics' | 'data'> & Partial<ChainLog>,
): ChainLog => ({
  block: 0,
  blockHash: hashOfNothing,
  ts: 0,
  txHash: hashOfNothing,
  txIndex: 0,
  logIndex: 0,
  ...recorded,
})
