import { render } from 'preact'
import { App } from './app.tsx'
import { applyTheme, readTheme } from './parts/theme.tsx'
import 'uplot/dist/uPlot.min.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/table.css'
import './styles/detail.css'
import './styles/range.css'
import './styles/swap.css'
import './styles/liquidity.css'
import './styles/provenance.css'
import './styles/phone.css'

applyTheme(readTheme())
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
