import { useEffect, useRef } from 'preact/hooks'
import { NetworkContext, useNetworkAnswer } from './live/network.ts'
import { followLink, type Place, usePlace } from './live/route.ts'
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

const Content = ({ path, search }: Place) => {
  const [, first = '', ...rest] = path.split('/')
  const name = decoded(rest.join('/'))
  if (first === 'pools' && name !== '') return <PoolPage key={name} id={name} search={search} />
  if (first === 'stocks' && name !== '') return <StockPage key={name} name={name} search={search} />
  if (first === 'stocks') return <StocksPage />
  return <Overview search={search} />
}

/** Another page begins at its top, for the eye and for the keyboard. */
const useFreshFocus = (path: string): void => {
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [path])
}

const Dashboard = ({ place }: { readonly place: Place }) => {
  const service = useServiceAnswers()
  const network = useNetworkAnswer()
  useFreshFocus(place.path)
  useEffect(() => {
    addEventListener('click', followLink)
    return () => removeEventListener('click', followLink)
  }, [])
  return (
    <NetworkContext.Provider value={network}>
      <ServiceContext.Provider value={service}>
        <a class="jump" href="#main">
          To the content
        </a>
        <Header path={place.path} />
        <Banners />
        <main id="main" tabIndex={-1}>
          <Content {...place} />
        </main>
        <Footer />
        <TipBox />
      </ServiceContext.Provider>
    </NetworkContext.Provider>
  )
}

export const App = () => {
  const place = usePlace()
  const embedded = /^\/embed\/pool\/([^/]+)$/.exec(place.path)?.[1]
  return embedded === undefined ? (
    <Dashboard place={place} />
  ) : (
    <EmbedPage id={embedded} search={place.search} />
  )
}
