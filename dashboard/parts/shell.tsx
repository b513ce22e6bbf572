import type { Status } from '../../src/client/types.ts'
import { formatInteger } from '../format/number.ts'
import { formatAge } from '../format/time.ts'
import { useNetwork } from '../live/network.ts'
import { useRefusal } from '../live/refusal.ts'
import { useService } from '../live/service.ts'
import { useNow } from '../live/use-now.ts'
import { phaseWords } from '../words/source-words.ts'
import { Figure } from './figure.tsx'
import { ThemeButton } from './theme.tsx'

const Logo = () => (
  <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" />
    <path d="M6 21l6-7 5 4 9-10" />
  </svg>
)

/** Time without a response after which the service counts as offline. */
const lostSeconds = 10

/** Green while the service responds. */
const LiveIndicator = () => {
  const { status } = useService()
  const now = useNow()
  const { value, error } = status
  if (value === null) return <span class="live wait">connecting</span>
  const { chain, ts } = value
  const age = now - ts
  const lost = error !== null || age > lostSeconds
  const source = lost ? `The last response is ${formatAge(age)} old.` : 'Indexed block.'
  return (
    <Figure source={source} ts={chain.indexedTs}>
      <span class={lost ? 'live lost' : 'live'}>
        <span class="dot" aria-hidden="true" />
        {lost ? 'offline' : 'live'}
        <span class="block">#{formatInteger(chain.indexedBlock)}</span>
      </span>
    </Figure>
  )
}

export const Header = ({ path }: { readonly path: string }) => {
  const { status } = useService()
  const network = useNetwork()
  const current = (own: boolean) => (own ? { 'aria-current': 'page' as const } : {})
  return (
    <header class="top" aria-busy={status.value === null || network === null}>
      <a class="brand" href="/">
        <Logo />
        stockpools
      </a>
      <nav aria-label="Main">
        <a href="/" {...current(path === '/' || path.startsWith('/pools'))}>
          Pools
        </a>
        <a href="/stocks" {...current(path.startsWith('/stocks'))}>
          Stocks
        </a>
        <a href="/docs">API</a>
      </nav>
      <span class="network">{status.value?.chain.network ?? '…'}</span>
      <LiveIndicator />
      <ThemeButton />
    </header>
  )
}

const Refused = ({ seconds }: { readonly seconds: number }) => (
  <p class="banner lost" role="status">
    <b>This page has asked too often.</b> It asks again in {seconds} s. The service limits the
    requests of each address.
  </p>
)

const Lost = () => {
  const { status } = useService()
  const now = useNow()
  const refusedSeconds = useRefusal()
  if (refusedSeconds !== null) return <Refused seconds={refusedSeconds} />
  if (status.error === null) return null
  const since = status.value === null ? null : formatAge(now - status.value.ts)
  return (
    <p class="banner lost" role="alert">
      <b>The service does not answer.</b>{' '}
      {since === null ? 'Trying again …' : `What you see is ${since} old. Trying again …`}
    </p>
  )
}

const percentMax = 100

const Bootstrap = ({ chain }: Pick<Status, 'chain'>) => {
  const { phase, done, total } = chain.backfill
  if (phase === 'done') return null
  const percent = total === 0 ? 0 : Math.min(percentMax, Math.floor((done / total) * percentMax))
  const text = `${formatInteger(done)} of ${formatInteger(total)}`
  return (
    <div class="banner bootstrap" role="status">
      <b>{phaseWords[phase] ?? phase}</b>
      <progress max={Math.max(1, total)} value={done} aria-label={phaseWords[phase] ?? phase} />
      <span>
        {text} ({percent} %). Rows are partial until the backfill is complete.
      </span>
    </div>
  )
}

export const Banners = () => {
  const { status } = useService()
  return (
    <>
      <Lost />
      {status.value === null ? null : <Bootstrap chain={status.value.chain} />}
    </>
  )
}

export const Footer = () => {
  const { health, status } = useService()
  return (
    <footer aria-busy={health.value === null || status.value === null}>
      <span>
        Methodology {health.value?.methodologyVersion ?? '…'} · chain{' '}
        {status.value?.chain.chainId ?? '…'}
      </span>
      <span>Times are in your time zone. All numbers come from the API.</span>
      <a href="/docs">API</a>
      <a href="/llms.txt">llms.txt</a>
    </footer>
  )
}
