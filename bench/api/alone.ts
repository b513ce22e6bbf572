import { Agent, get } from 'node:http'

/** One request after the other over one connection, from this thread. */
export const createLoneClient = (baseUrl: string) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    ask: (path: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const sent = get(baseUrl + path, { agent }, (answer) => {
          let text = ''
          answer.setEncoding('utf8')
          answer.on('data', (part: string) => {
            text += part
          })
          answer.once('error', reject)
          answer.once('end', () => {
            if (answer.statusCode === 200) resolve(text)
            else reject(new Error(`${path} answered ${answer.statusCode}: ${text}`))
          })
        })
        sent.once('error', reject)
      }),
    close: () => agent.destroy(),
  }
}
