import { type Outcome, success } from '../domain/outcome.ts'
import type { Address, Hash } from '../domain/units.ts'
import type { PoolView } from '../domain/views/pool.ts'
import type { PoolProvenanceView, TickView } from '../domain/views/provenance.ts'
import { chunk } from '../util/chunk.ts'
import type { EvidenceFault } from './block-evidence.ts'
import { type PlacedPool, type PoolSlots, poolSlotsOf, signedSlot } from './layout/pool-slots.ts'
import { bitsOf, slotAfter } from './layout/slots.ts'
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

type OfTicks = {
  readonly node: VerifierNode
  readonly header: ProvenHeader
  readonly slots: PoolSlots
}

type TickTexts = Outcome<readonly string[], EvidenceFault>

/** The ticks that storage has, by the bits of the bitmap. */
const readBitmapTicks = async (
  { node, header, slots: { address, ticks, bitmap } }: OfTicks & { slots: { bitmap: Hash } },
  tickSpacing: number,
): Promise<TickTexts> => {
  const places = bitmapPlaces(tickSpacing)
  const bits = await readWords(node, header, {
    address,
    slots: places.map((place) => signedSlot(bitmap, place)),
  })
  if (!bits.ok) return bits
  const held = ticksOfBitmap(places, bits.value, tickSpacing)
  const words = await readWords(node, header, {
    address,
    slots: held.map((tick) => signedSlot(ticks, tick)),
  })
  if (!words.ok) return words
  return success(held.map((tick, index) => textOf(toTick(tick, words.value[index] ?? '0x0'))))
}

/**
 * The ticks that storage has, as each names the next one, from the lowest possible tick on; up to
 * the first that is not published. A tick's words are its gross liquidity, then its net liquidity
 * with the previous and the next tick above (Algebra: TickManagement.Tick).
 */
const readLinkedTicks = async (
  { node, header, slots }: OfTicks,
  published: readonly TickView[],
): Promise<TickTexts> => {
  const asked = [...new Set([-tickMax, ...published.map(({ tick }) => tick), tickMax])]
  const words = await readWords(node, header, {
    address: slots.address,
    slots: asked.flatMap((tick) => {
      const first = signedSlot(slots.ticks, tick)
      return [first, slotAfter(first, 1n)]
    }),
  })
  if (!words.ok) return words
  const texts: string[] = []
  let tick = -tickMax
  while (texts.length <= asked.length) {
    const place = asked.indexOf(tick)
    if (place < 0) return success([...texts, `${tick}: not published`])
    const gross = bitsOf(words.value[2 * place] ?? '0x0', 0, 256)
    const second = words.value[2 * place + 1] ?? '0x0'
    const net = BigInt.asIntN(128, bitsOf(second, 0, 128))
    const view = { tick, liquidityNet: String(net), liquidityGross: String(gross) }
    if (gross > 0n) texts.push(textOf(view))
    if (tick === tickMax) break
    const next = Number(BigInt.asIntN(24, bitsOf(second, 152, 24)))
    if (next <= tick) return success([...texts, `${tick}: names no later tick`])
    tick = next
  }
  return success(texts)
}

/**
 * Proof tier: the list of ticks that reserves and depth are computed from, as storage words: each
 * tick's liquidity, and by the bitmap or the links of the ticks that none is left out.
 */
export const checkTicks = async (
  { node, header }: { readonly node: VerifierNode; readonly header: ProvenHeader },
  row: Pick<PoolView, 'id' | 'protocol' | 'tickSpacing'>,
  { place, ticks }: { readonly place: PlacedPool } & Pick<PoolProvenanceView, 'ticks'>,
): Promise<readonly Check[]> => {
  const slots = poolSlotsOf(place)
  if (ticks === null || slots === null || row.tickSpacing <= 0) return []
  const of = { tier: 'proof', subject: row.id, field: 'ticks' } as const
  const { bitmap } = slots
  const proved =
    bitmap === null
      ? await readLinkedTicks({ node, header, slots }, ticks)
      : await readBitmapTicks({ node, header, slots: { ...slots, bitmap } }, row.tickSpacing)
  if (!proved.ok) return [withoutEvidence(of, proved.fault)]
  const texts = { published: ticks.map(textOf).join(', '), proved: proved.value.join(', ') }
  return [compareTexts(of, texts, "the chain's storage holds other ticks")]
}
