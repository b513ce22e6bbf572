/** The page's only style; nothing is loaded from anywhere. */
export const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #0a7d55 }
@media (prefers-color-scheme: dark) { :root { --accent: #4fd1a1 } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif }
main, header, nav { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem }
header { padding-top: 2.5rem }
h1 { margin: 0; font-size: 2rem } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) }
h3 { margin: 2.5rem 0 .5rem; font: 600 1.05rem ui-monospace, monospace }
a { color: var(--accent); overflow-wrap: anywhere }
nav ul { columns: 16rem 2; padding-left: 1.2rem }
code, pre { font: .875rem/1.5 ui-monospace, monospace }
pre { overflow: auto; max-height: 28rem; padding: .9rem; border-radius: 6px }
pre, .notice { background: var(--soft) }
table { width: 100%; border-collapse: collapse; font-size: .925rem }
th, td { padding: .4rem .6rem; text-align: left; vertical-align: top }
tr { border-top: 1px solid var(--line) }
th { font-weight: 600 } td code { white-space: nowrap } td:last-child code { white-space: normal }
.scroll { overflow-x: auto } .method { color: var(--accent); margin-right: .5rem }
.notice { padding: .6rem .9rem; border-left: 4px solid #d97706 }
summary { cursor: pointer } footer { padding: 3rem 1.25rem; text-align: center; opacity: .7 }
`
