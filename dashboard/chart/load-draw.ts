import { useEffect, useState } from 'preact/hooks'
import { themeChanged } from '../parts/theme.tsx'
import { ensureValidLanguage } from './language.ts'

/** Loads the drawing code with the first chart. */
export const loadDraw = async () => {
  ensureValidLanguage()
  return (await import('./draw.ts')).draw
}

/** Counts theme changes: a canvas must then be drawn again. */
export const useThemeVersion = (): number => {
  const [version, setVersion] = useState(0)
  useEffect(() => {
    const change = () => setVersion((count) => count + 1)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    addEventListener(themeChanged, change)
    dark.addEventListener('change', change)
    return () => {
      removeEventListener(themeChanged, change)
      dark.removeEventListener('change', change)
    }
  }, [])
  return version
}
