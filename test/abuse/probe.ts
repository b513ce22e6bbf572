import { askAll, get, lastly, opened } from './wire.ts'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
const startC = async (file: string, arg: string) => { const child = fork(new URL(file, import.meta.url).pathname, [arg], { execArgv: ['--expose-gc'] }); const [r] = await once(child,'message'); return { child, r } }
const tellc = async (c: ChildProcess, o: any) => { const a = once(c,'message'); c.send(o); return (await a)[0] as any }
const { child, r: port } = await startC('./serve.ts', process.argv[3] ?? '{}')
const { child: by } = await startC('./bystander.ts', String(port))
const mb = (n: number) => (n/1e6).toFixed(1)
const use = async (l: string) => { const u = await tellc(child,{kind:'usage'}); console.log(l, 'held', mb(u.heldBytes), 'rss', mb(u.rssBytes), 'conns', u.connections, 'logged', u.logged.slice(0,3)) }
const beside = async (l: string, f: () => Promise<unknown>) => { by.send('begin'); const t=performance.now(); const v = await f(); const ms = performance.now()-t; await sleep(Math.max(0,1500-ms)); const d = await tellc(by,'end'); console.log(l, Math.round(ms),'ms', JSON.stringify(v), d.asked, d.failed, 'p99', d.p99Ms.toFixed(1)) }
const rep = (n: number, f: (i: number) => string) => Array.from({length:n},(_,i)=>f(i))
const what = process.argv[2]
await beside('calm', async () => {})
if (what === 'floods') {
  await beside('healthz 10000 c8 d25', () => askAll(port, rep(10000, () => get('/healthz'))))
  await beside('options', () => askAll(port, rep(10000, () => `OPTIONS /api/v1/pools HTTP/1.1\r\nHost: x\r\n\r\n`)))
  await beside('head', () => askAll(port, rep(10000, () => `HEAD /api/v1/pools HTTP/1.1\r\nHost: x\r\n\r\n`)))
  await beside('metrics 2000 c8 d1', () => askAll(port, rep(2000, () => get('/metrics')), {depth:1, connections: 16}))
  await beside('metrics 2000 c8 d25', () => askAll(port, rep(2000, () => get('/metrics'))))
  await beside('inm', () => askAll(port, rep(3000, () => get('/api/v1/pools', `If-None-Match: ${'"aaaaaaa", '.repeat(800)}"z"\r\n`))))
  await beside('inm2', () => askAll(port, rep(3000, () => get('/api/v1/pools', `If-None-Match: ${'W/"'.repeat(2700)}\r\n`))))
  await beside('ae', () => askAll(port, rep(3000, () => get('/api/v1/pools', `Accept-Encoding: ${'gzip;q=0.1,'.repeat(1000)}br\r\n`))))
  await beside('ae2', () => askAll(port, rep(3000, (i) => get('/api/v1/pools', `Accept-Encoding: gzip${';q=0'.repeat(1000)};${i}\r\n`))))
  await beside('br distinct', () => askAll(port, rep(3000, (i) => get(`/api/v1/pools?limit=50&offset=${i%20}&q=${i}`, `Accept-Encoding: br\r\n`))))
}
if (what === 'q') {
  await use('before')
  await beside('q 5000', () => askAll(port, rep(5000, (i) => get(`/api/v1/pools?q=m${i.toString(36)}`))))
  await use('after')
  await beside('q 5000 d1', () => askAll(port, rep(5000, (i) => get(`/api/v1/pools?q=n${i.toString(36)}`)),{depth:1,connections:64}))
  await use('after')
  await beside('offsets br d1', () => askAll(port, rep(5000, (i) => get(`/api/v1/pools?limit=50&offset=${i}`,'Accept-Encoding: br\r\n')),{depth:1,connections:64}))
  await use('after')
  await beside('mcp', () => askAll(port, rep(1000, (i) => { const b = JSON.stringify(Array.from({length:8},(_,j)=>({jsonrpc:'2.0',id:j,method:'tools/call',params:{name:'list_pools',arguments:{limit:50,offset:i*8+j}}}))); return `POST /mcp HTTP/1.1\r\nHost: x\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${b.length}\r\n\r\n${b}` }),{depth:1,connections:64}))
  await use('after')
}
if (what === 'deaf') {
  await use('before')
  const socks = []
  for (let k=0;k<20;k++) { const s = await opened(port); s.pause(); s.write(rep(1400,i=>get(`/api/v1/pools?limit=50&offset=${i+k*1400}`)).join('')); socks.push(s) }
  await sleep(3000); await use('deaf 20')
  await sleep(6000); await use('deaf 20 later')
  for (const s of socks) s.destroy()
  await sleep(500); await use('gone')
}
if (what === 'sse') {
  await use('before')
  const s0 = await opened(port); let first=''; s0.setEncoding('latin1').on('data',d=>{first+=d}); s0.write(get('/api/v1/stream')); await sleep(300)
  const id = /id: (\w+)-/.exec(first)![1]
  for (let i=0;i<80;i++) await tellc(child,{kind:'news',count:100,bytes:1000})
  await use('ring full')
  const socks = []
  for (let k=0;k<200;k++) { const s = await opened(port); s.pause(); s.write(get('/api/v1/stream',`Last-Event-ID: ${id}-1000\r\n`)); socks.push(s) }
  await sleep(1000); await use('200 deaf resumers')
  for (const s of socks) s.destroy(); await sleep(500); await use('gone')
  await beside('resume storm', async () => { for (let k=0;k<100;k++) { const s = await opened(port); s.on('error',()=>{}); s.write(get('/api/v1/stream',`Last-Event-ID: ${id}-1000\r\n`)); await sleep(5); s.destroy() } })
  await use('after resume storm')
}
if (what === 'groups') {
  const socks = []
  for (let k=0;k<2000;k++) { const s = await opened(port); s.resume(); s.write(get(`/api/v1/stream?id=0x${k.toString(16).padStart(40,'0')}`)); socks.push(s) }
  await sleep(500)
  await use('2000 groups')
  await beside('news 2000 to 2000 groups', async () => { for (let i=0;i<8;i++) { const t=performance.now(); await tellc(child,{kind:'news',count:2000,bytes:100}); console.log(performance.now()-t); await sleep(200) } })
  for (const s of socks) s.destroy(); await sleep(500)
  const t2=[]; for (let k=0;k<2000;k++) { const s = await opened(port); s.resume(); s.write(get(`/api/v1/stream`)); t2.push(s) }
  await beside('news 100x100 to 2000 in one group', async () => { for (let i=0;i<8;i++) { const t=performance.now(); await tellc(child,{kind:'news',count:100,bytes:100}); console.log(performance.now()-t); await sleep(200) } })
  await use('x'); for (const s of t2) s.destroy(); await sleep(500); await use('gone')
}
child.disconnect(); by.disconnect()
