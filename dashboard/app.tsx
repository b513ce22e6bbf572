import { useEffect, useRef } from 'preact/hooks'
import { NetworkContext, useNetworkAnswer } from './live/network.ts'
import { followLink, type Location, useCurrentLocation } from './live/route.ts'
import { ServiceContext, useServiceAnswers } from './live/service.ts'
import { Overview } from './overview/overview.tsx'
import { Banners, Footer, Header } from './parts/shell.tsx'
import { TipBox } from './parts/tip.tsx'
import { EmbedPage } from './pool/embed-page.tsx'
import { PoolPage } from './pool/pool-page.tsx'
import { StockPage } from './stock/stock-page.tsx'
import { StocksPage } from './stock/stocks-page.tsx'

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const Content = ({ path, search }: Location) => {
  const [, first = '', ...rest] = path.split('/')
  const name = decoded(rest.join('/'))
  if (first === 'pools' && name !== '') return <PoolPage key={name} id={name} search={search} />
  if (first === 'stocks' && name !== '') return <StockPage key={name} name={name} search={search} />
  if (first === 'stocks') return <StocksPage />
  return <Overview search={search} />
}

/** Moves the focus to the top of a new page. */
const useFocusOnNavigation = (path: string): void => {
  const shownPath = useRef(path)
  useEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [path])
}

const Dashboard = ({ location }: { readonly location: Location }) => {
  const service = useServiceAnswers()
  const network = useNetworkAnswer()
  useFocusOnNavigation(location.path)
  useEffect(() => {
    addEventListener('click', followLink)
    return () => removeEventListener('click', followLink)
  }, [])
  return (
    <NetworkContext.Provider value={network}>
      <ServiceContext.Provider value={service}>
        <a class="jump" href="#main">
          Skip to content
        </a>
        <Header path={location.path} />
        <Banners />
        <main id="main" tabIndex={-1}>
          <Content {...location} />
        </main>
        <Footer />
        <TipBox />
      </ServiceContext.Provider>
    </NetworkContext.Provider>
  )
}

export const App = () => {
  const location = useCurrentLocation()
  const embedded = /^\/embed\/pool\/([^/]+)$/.exec(location.path)?.[1]
  return embedded === undefined ? (
    <Dashboard location={location} />
  ) : (
    <EmbedPage id={embedded} search={location.search} />
  )
}
