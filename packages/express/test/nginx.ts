import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../tools/servers.mjs'

/** nginx with TLS in front of an application. */
export interface Nginx {
  /** What browsers find the application at, below `/stripped` without that, below `/whole` with it. */
  readonly origin: string
  /** Sends a request as a browser does that knows the certificate. */
  send(request: Request): Promise<Response>
  close(): Promise<void>
}

/** Starts nginx on loopback for an application at an origin, or at several that take turns. */
export async function startNginx(
  program: string,
  upstream: string | readonly string[],
): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'express-nginx-'))
  const port = await freePort()
  createCertificate(folder)
  writeFileSync(join(folder, 'nginx.conf'), settings(folder, port, [upstream].flat()))
  const child = spawn(program, ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const complaints: string[] = []
  child.stderr.on('data', chunk => complaints.push(String(chunk)))
  const ca = readFileSync(join(folder, 'cert.pem'), 'utf8')
  const origin = `https://localhost:${port}`
  await untilUp(child, () => sendOver(new Request(origin), ca), complaints)
  return {
    origin,
    send: sent => sendOver(sent, ca),
    async close() {
      const ended = once(child, 'exit')
      child.kill('SIGQUIT')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

function createCertificate(folder: string): void {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'], // which is made fast
      ...['-addext', 'subjectAltName=DNS:localhost'],
      ...['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')],
    ],
    { stdio: 'ignore' },
  )
}

// From `proxy_http_version` on it is what the guide tells people to write.
function settings(folder: string, port: number, upstreams: readonly string[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(each => `${each}_temp_path ${folder}/${each};`)
    .join(' ')
  return `
    daemon off;
    pid ${folder}/nginx.pid;
    worker_processes 1;
    events {}
    http {
      access_log off;
      ${temporary}
      upstream application {
        ${upstreams.map(each => `server ${new URL(each).host};`).join(' ')}
      }
      server {
        listen 127.0.0.1:${port} ssl;
        server_name localhost;
        ssl_certificate ${folder}/cert.pem;
        ssl_certificate_key ${folder}/key.pem;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-Host $http_host;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-For $remote_addr;
        location /stripped/ {
          proxy_pass http://application/;
        }
        location /whole/ {
          proxy_pass http://application;
        }
      }
    }`
}

async function untilUp(
  child: ChildProcess,
  ask: () => Promise<unknown>,
  complaints: readonly string[],
): Promise<void> {
  for (let time = 0; time < 200 && child.exitCode === null; time++) {
    try {
      await ask()
      return
    } catch {
      await new Promise(resolve => setTimeout(resolve, 25))
    }
  }
  child.kill()
  throw new Error(`nginx does not start: ${complaints.join('')}`)
}

async function sendOver(sent: Request, ca: string): Promise<Response> {
  const { hostname, port, pathname, search } = new URL(sent.url)
  const body = Buffer.from(await sent.arrayBuffer())
  const outgoing = request({
    ...{ hostname, port, ca, method: sent.method, path: pathname + search, agent: false },
    headers: { ...Object.fromEntries(sent.headers), 'content-length': body.length },
  }).end(body)
  const [incoming] = await once(outgoing, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const headers = new Headers()
  for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index], incoming.rawHeaders[index + 1])
  }
  const isEmpty = [204, 304].includes(incoming.statusCode)
  const content = isEmpty ? null : Buffer.concat(chunks)
  return new Response(content, { status: incoming.statusCode, headers })
}
