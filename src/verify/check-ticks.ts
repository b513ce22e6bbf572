import { type Outcome, success } from '../domain/outcome.ts'
import type { Address, Hash } from '../domain/units.ts'
import type { PoolView } from '../domain/views/pool.ts'
import type { PoolProvenanceView, TickView } from '../domain/views/provenance.ts'
import { chunk } from '../util/chunk.ts'
import type { EvidenceFault } from './block-evidence.ts'
import { poolSlotsOf, signedSlot } from './layout/pool-slots.ts'
import { bitsOf } from './layout/slots.ts'
import type { ProvenHeader } from './prove-header.ts'
import { proveState } from './prove-state.ts'
import { type Check, compareTexts, withoutEvidence } from './tier.ts'
import type { VerifierNode } from './verifier-node.ts'

/** Slots of one `eth_getProof`; geth allows 1,024. */
const slotsMax = 200
const tickMax = 887_272
const bitsPerWord = 256

type Words = Outcome<readonly Hash[], EvidenceFault>

const readWords = async (
  node: VerifierNode,
  header: ProvenHeader,
  { address, slots }: { readonly address: Address; readonly slots: readonly Hash[] },
): Promise<Words> => {
  const questions = chunk(slots, slotsMax).map((part) => ({ address, slots: part }))
  const answers = await node.readProofs(questions, header)
  const words: Hash[] = []
  for (const [index, question] of questions.entries()) {
    const answer = answers[index] ?? success(null)
    const state = answer.ok ? await proveState(header, question, answer.value) : answer
    if (!state.ok) return state
    words.push(...state.value.words)
  }
  return success(words)
}

/** Numbers of the bitmap's words that may have a bit. */
const bitmapPlaces = (tickSpacing: number): readonly number[] => {
  const last = Math.floor(Math.floor(tickMax / tickSpacing) / bitsPerWord)
  const first = Math.floor(Math.ceil(-tickMax / tickSpacing) / bitsPerWord)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** The ticks whose bits are set in the words of these places. */
const ticksOfBitmap = (
  places: readonly number[],
  words: readonly Hash[],
  tickSpacing: number,
): readonly number[] =>
  places.flatMap((place, index) => {
    const word = BigInt(words[index] ?? '0x0')
    if (word === 0n) return []
    const bits = Array.from({ length: bitsPerWord }, (_, bit) => bit)
    return bits
      .filter((bit) => ((word >> BigInt(bit)) & 1n) === 1n)
      .map((bit) => (place * bitsPerWord + bit) * tickSpacing)
  })

const textOf = ({ tick, liquidityNet, liquidityGross }: TickView): string =>
  `${tick}: ${liquidityNet} of ${liquidityGross}`

/** A tick's first word holds `liquidityGross` and, above it, the signed `liquidityNet`. */
const toTick = (tick: number, word: Hash): TickView => ({
  tick,
  liquidityNet: String(BigInt.asIntN(128, bitsOf(word, 128, 128))),
  liquidityGross: String(bitsOf(word, 0, 128)),
})

/**
 * Proof tier: the list of ticks that reserves and depth are computed from, as storage words: each
 * tick's liquidity, and by the bitmap that none is left out.
 */
export const checkTicks = async (
  { node, header }: { readonly node: VerifierNode; readonly header: ProvenHeader },
  row: Pick<PoolView, 'id' | 'protocol' | 'tickSpacing'>,
  { address, ticks }: { readonly address: Address } & Pick<PoolProvenanceView, 'ticks'>,
): Promise<readonly Check[]> => {
  if (ticks === null || row.tickSpacing <= 0) return []
  const of = { tier: 'proof', subject: row.id, field: 'ticks' } as const
  const mappings = poolSlotsOf({ ...row, venue: address })
  const places = bitmapPlaces(row.tickSpacing)
  const bitmap = await readWords(node, header, {
    address,
    slots: places.map((place) => signedSlot(mappings.bitmap, place)),
  })
  if (!bitmap.ok) return [withoutEvidence(of, bitmap.fault)]
  const held = ticksOfBitmap(places, bitmap.value, row.tickSpacing)
  const words = await readWords(node, header, {
    address,
    slots: held.map((tick) => signedSlot(mappings.ticks, tick)),
  })
  if (!words.ok) return [withoutEvidence(of, words.fault)]
  const proved = held.map((tick, index) => toTick(tick, words.value[index] ?? '0x0'))
  const texts = { published: ticks.map(textOf).join(', '), proved: proved.map(textOf).join(', ') }
  return [compareTexts(of, texts, "the chain's storage holds other ticks")]
}
