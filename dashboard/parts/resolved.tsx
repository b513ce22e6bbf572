import { useEffect, useState } from 'preact/hooks'
import type { ResolvedToken } from '../../src/client/types.ts'
import { formatInteger } from '../format/number.ts'
import { api } from '../live/api.ts'
import { useQuestion } from '../live/use-question.ts'
import { Hex } from './hex.tsx'

/** Shorter texts say too little to ask for. */
const charsMin = 2
const typingMs = 250

const useLater = (text: string): string => {
  const [later, setLater] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return later
}

type TokenProps = { readonly token: NonNullable<ResolvedToken['token']> }

const Token = ({ token: { symbol, name, address, kind } }: TokenProps) => (
  <>
    {kind === 'stock' ? <a href={`/stocks/${encodeURIComponent(symbol)}`}>{symbol}</a> : symbol}
    {name === null ? ' ' : ` (${name}) `}
    is <Hex hex={address} what={`address of ${symbol}`} />
  </>
)

/** The verified tokens that are imitated, by their addresses. */
const Genuine = ({ candidates }: Pick<ResolvedToken, 'candidates'>) => (
  <>
    {candidates.map((token) => (
      <span key={token.address}>
        {' '}
        <Token token={token} />.
      </span>
    ))}
  </>
)

const Answer = ({ answer }: { readonly answer: ResolvedToken }) => {
  const { q, result, token, asked, candidates, lookAlikesTotal } = answer
  if (result === 'verified' && token !== null) {
    return (
      <>
        <Token token={token} />
        {lookAlikesTotal === 0 ? '.' : `; ${formatInteger(lookAlikesTotal)} look-alikes.`}
      </>
    )
  }
  if (result !== 'look_alike') return null
  return (
    <>
      <b>Look-alike.</b> {asked === null ? 'What you typed' : 'The token at this address,'}{' '}
      <bdi>{asked?.symbol ?? q}</bdi>, only looks like another one.
      <Genuine candidates={candidates} />
    </>
  )
}

/** What a searched text stands for, with a warning of look-alikes; one line is kept for it. */
export const Resolved = ({ text }: { readonly text: string }) => {
  const q = useLater(text.trim())
  const key = q.length < charsMin ? null : q
  const ask = (signal: AbortSignal) => api.resolve(q, { signal })
  const { value, waiting } = useQuestion({ key, version: '', ask })
  if (text.trim().length < charsMin) return null
  const isWarning = value?.result === 'look_alike' && !waiting
  return (
    <p class={isWarning ? 'resolved warning' : 'resolved'} role="status">
      {value === null || waiting ? null : <Answer answer={value} />}
    </p>
  )
}
