/*
 * Texts that look alike get the same fold, after Unicode Technical Standard #39, §4: compatibility
 * forms, case, marks and punctuation are dropped, and letters of other scripts become the Latin
 * ones that they look like. The table has the letters that are used against Latin tickers, not all
 * of the standard's 6,000 pairs. A fold is compared, never shown.
 */

/** Each text holds pairs: a letter, and the Latin one that it looks like. */
const capitals = [
  // Greek
  'ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϹCͿJ',
  // Cyrillic
  'АAВBСCЕEԌGНHІIЈJКKМMОOРPԚQЅSТTУYҮYХXѴVԜWЬBӀI',
  // Armenian, Cherokee
  'ՍUՕOԼLՏSᎠDᎡRᎢTᎪAᎫJᎬEᎳWᎷMᎻHᏀGᏚSᏙVᏢPᏟCᏞLᏃZᏴBᏦKᎩYᏒR',
  // Lisu
  'ꓐBꓑPꓓDꓔTꓖGꓗKꓙJꓚCꓜZꓝFꓟMꓠNꓡLꓢSꓣRꓦVꓧHꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴU',
  // Latin with strokes
  'ØOĐDŁLĦHŦTƵZɎYɃB',
].join('')

const smalls = [
  'αaγyιiκkνvοoρpσoτtυuχxωw',
  'аaсcԁdеeһhіiјjӏlоoрpԛqгrѕsѵvԝwхxуyьbкkмmтtнh',
  'օoոnսuցgհhզqաwıiɑaɡgɩi',
  // Small capitals
  'ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz',
  'øođdłlħhŧtƶzɏyƀb',
].join('')

const toTable = (pairs: string): ReadonlyMap<string, string> => {
  const letters = [...pairs]
  return new Map(letters.flatMap((from, at) => (at % 2 ? [] : [[from, letters[at + 1] ?? from]])))
}

const [capitalTable, smallTable] = [toTable(capitals), toTable(smalls)]

const ascii = /^[\u0020-\u007e]*$/
const notPlain = /[^\p{L}\p{N}]/gu
const notPlainAscii = /[^a-z0-9]/g

/** Case, compatibility forms, marks, spaces and punctuation removed: what a reader types alike. */
export const squash = (text: string): string => {
  const lower = text.toLowerCase()
  if (ascii.test(lower)) return lower.replace(notPlainAscii, '')
  return text.normalize('NFKD').toLowerCase().replace(notPlain, '').normalize('NFC')
}

/** In many typefaces the letters of each of these are the same: 0 and O, 1, l and I. */
const mergeAlike = (text: string): string => text.replace(/0/g, 'o').replace(/[1i]/g, 'l')

const look = (text: string, table: ReadonlyMap<string, string>): string =>
  mergeAlike(
    Array.from(text, (letter) => table.get(letter) ?? letter)
      .join('')
      .toLowerCase(),
  )

/**
 * The folds of a text in either case: letters such as ν and Ν look like different ones. Texts that
 * share a fold look alike. None of a text without letters and digits.
 */
export const foldsOf = (text: string): readonly string[] => {
  const plain = squash(text)
  if (plain === '') return []
  if (ascii.test(plain)) return [mergeAlike(plain)]
  const [small, capital] = [look(plain, smallTable), look(plain.toUpperCase(), capitalTable)]
  return small === capital ? [small] : [small, capital]
}
