import { useState } from 'preact/hooks'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const key = 'stockpools.theme'
export const themeChanged = 'stockpools:theme'

/** What the reader has chosen here before. */
export const keptTheme = (): Theme => {
  try {
    return themes.find((each) => each === localStorage.getItem(key)) ?? 'system'
  } catch {
    return 'system'
  }
}

export const applyTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  dispatchEvent(new Event(themeChanged))
}

const keepTheme = (theme: Theme): void => {
  try {
    localStorage.setItem(key, theme)
  } catch {
    // Where nothing may be kept, the choice lasts as long as the page.
  }
}

const signs: Readonly<Record<Theme, string>> = { system: '◐', light: '☀', dark: '☾' }

export const ThemeButton = () => {
  const [theme, setTheme] = useState(keptTheme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const change = () => {
    keepTheme(next)
    applyTheme(next)
    setTheme(next)
  }
  return (
    <button
      type="button"
      class="theme"
      title={`Colours: ${theme}`}
      aria-label={`Colours: ${theme}; change to ${next}`}
      onClick={change}
    >
      {signs[theme]}
    </button>
  )
}
