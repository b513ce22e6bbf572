import type { Page } from 'playwright-core'

/*
 * What can be computed of whether a page is for everybody: WCAG 2.2, level AA. Each audit lists its
 * faults in words.
 */

/**
 * Text and its background, as they are composed on the screen (1.4.3), and the lines of charts
 * against their panel (1.4.11). Runs in the page.
 */
const contrastScript = `(() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const rgba = (color) => {
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data
    return [r, g, b, a / 255]
  }
  const over = ([r, g, b, a], below) =>
    [...[r, g, b].map((each, at) => each * a + below[at] * (1 - a)), 1]
  const linear = (each) => (each <= 10.3 ? each / 3294.6 : ((each / 255 + 0.055) / 1.055) ** 2.4)
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
  const ratioOf = (one, other) => {
    const [more, less] = [luminance(one), luminance(other)].sort((a, b) => b - a)
    return (more + 0.05) / (less + 0.05)
  }
  const up = (element) => {
    const line = []
    for (let each = element; each !== null; each = each.parentElement) line.unshift(each)
    return line
  }
  // All that a text may stand on: of a gradient each of its colours.
  const grounds = (element) =>
    up(element).reduce((found, each) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(each)
      const stops = backgroundImage.match(/rgba?\\([^)]*\\)/g) ?? [backgroundColor]
      return found.flatMap((below) => stops.map((stop) => over(rgba(stop), below)))
    }, [[255, 255, 255, 1]])
  const faults = new Set()
  const judge = (element, style, text) => {
    const { color, fontSize, fontWeight } = style
    const opacity = up(element).reduce((all, each) => all * getComputedStyle(each).opacity, 1)
    const size = Number.parseFloat(fontSize)
    const least = size >= 24 || (size >= 18.66 && fontWeight >= 700) ? 3 : 4.5
    const [r, g, b, a] = rgba(color)
    const worst = Math.min(
      ...grounds(element).map((ground) => ratioOf(over([r, g, b, a * opacity], ground), ground)),
    )
    const name = element.localName + '.' + element.className
    if (worst < least) faults.add(name + ' "' + text.slice(0, 20) + '": ' + worst.toFixed(2))
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.data.trim()
    const isDrawn = element.getClientRects().length > 0
    const isShown = isDrawn && element.checkVisibility({ checkOpacity: true })
    const isExempt = element.closest('.hidden, .jump, :disabled, option, noscript') !== null
    if (text !== '' && isShown && !isExempt) judge(element, getComputedStyle(element), text)
  }
  for (const input of document.querySelectorAll('input[placeholder]')) {
    judge(input, getComputedStyle(input, '::placeholder'), input.placeholder)
  }
  const colour = (name) => {
    document.body.style.outlineColor = 'var(--' + name + ')'
    return rgba(getComputedStyle(document.body).outlineColor)
  }
  for (const name of ['price', 'reference', 'premium', 'volume'].map((each) => 'chart-' + each)) {
    const ratio = ratioOf(colour(name), colour('panel'))
    if (ratio < 3) faults.add(name + ': ' + ratio.toFixed(2))
  }
  return [...faults]
})()`

export const contrastFaults = (page: Page): Promise<readonly string[]> =>
  page.evaluate(contrastScript)

const controls = new Set(['button', 'link', 'textbox', 'searchbox', 'combobox', 'radio'])
const named = new Set([...controls, 'image', 'img', 'table', 'navigation', 'progressbar', 'group'])

/** Names for assistive technology: each control, picture and table has one (4.1.2, 1.1.1). */
export const nameFaults = async (page: Page): Promise<readonly string[]> => {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  const shown = nodes.filter(({ ignored }) => !ignored)
  const nameless = shown
    .filter(({ role, name }) => named.has(role?.value) && (name?.value ?? '') === '')
    .map(({ role, nodeId }) => `${role?.value} ${nodeId} has no name`)
  const seen = new Set<string>()
  const twice = shown
    .filter(({ role }) => role?.value === 'link')
    .map(({ name }) => String(name?.value))
    .filter((name) => name.includes('explorer') && (seen.has(name) || !seen.add(name)))
  const count = (wanted: string) => shown.filter(({ role }) => role?.value === wanted).length
  return [
    ...nameless,
    ...twice.map((name) => `several links are called "${name}"`),
    ...(count('main') === 1 ? [] : [`${count('main')} mains`]),
  ]
}

const structureScript = `(() => {
  const faults = []
  const levels = [...document.querySelectorAll('h1, h2, h3')].map(({ localName }) => localName[1])
  if (levels.filter((level) => level === '1').length !== 1) faults.push('h1: ' + levels.join(''))
  if (levels[0] !== '1') faults.push('the first heading is h' + levels[0])
  for (const cell of document.querySelectorAll('th:not([scope])')) faults.push(cell.outerHTML)
  for (const table of document.querySelectorAll('table:not(:has(caption))')) faults.push('caption')
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  if (new Set(ids).size < ids.length) faults.push('ids twice: ' + ids.join())
  if (document.documentElement.lang === '') faults.push('no language')
  return faults
})()`

/** Headings in order, tables with captions and scopes, ids once. */
export const structureFaults = (page: Page): Promise<readonly string[]> =>
  page.evaluate(structureScript)

const focusScript = `(() => {
  const element = document.activeElement
  if (element === document.body) return null
  const seen = [element, element.closest('label')].some((each) => {
    if (each === null) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(each)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  })
  const box = (element.closest('label') ?? element).getBoundingClientRect()
  const name = element.getAttribute('aria-label') ?? element.textContent
  return {
    name: element.localName + '.' + element.className + ' ' + name.slice(0, 30),
    seen,
    onScreen: box.bottom > 0 && box.top < innerHeight && box.width > 0,
  }
})()`

type Focused = { readonly name: string; readonly seen: boolean; readonly onScreen: boolean }

/** Walks through the page by the Tab key: each stop can be seen (2.4.7), and it ends (2.1.2). */
export const walkByTab = async (page: Page, stopsMax: number) => {
  const stops: string[] = []
  const faults: string[] = []
  for (let at = 0; at < stopsMax; at++) {
    await page.keyboard.press('Tab')
    const focused = (await page.evaluate(focusScript)) as Focused | null
    if (focused === null) return { stops, faults, ended: true }
    stops.push(focused.name)
    if (!focused.seen || !focused.onScreen) faults.push(JSON.stringify(focused))
  }
  return { stops, faults, ended: false }
}
