import { useState } from 'preact/hooks'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const key = 'stockpools.theme'
export const themeChanged = 'stockpools:theme'

/** The reader's stored choice. */
export const readTheme = (): Theme => {
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

const storeTheme = (theme: Theme): void => {
  try {
    localStorage.setItem(key, theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

const signs: Readonly<Record<Theme, string>> = { system: '◐', light: '☀', dark: '☾' }

export const ThemeButton = () => {
  const [theme, setTheme] = useState(readTheme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const change = () => {
    storeTheme(next)
    applyTheme(next)
    setTheme(next)
  }
  return (
    <button
      type="button"
      class="theme"
      title={`Theme: ${theme}`}
      aria-label={`Theme: ${theme}, switch to ${next}`}
      onClick={change}
    >
      {signs[theme]}
    </button>
  )
}
