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
  const folder = createFolder()
  createCertificate(folder)
  const ca = readFileSync(join(folder, 'cert.pem'), 'utf8')
  const port = await freePort()
  const origin = `https://localhost:${port}`
  const send = (sent: Request) => sendOver(sent, ca)
  const close = await runNginx(
    { program, folder, server: settings(folder, port), upstreams: [upstream].flat() },
    () => send(new Request(origin)),
  )
  return { origin, send, close }
}

/**
 * Starts nginx without TLS, which hands all requests on as they are.
 *
 * @param directives what it says about them beside that, such as `proxy_set_header Host $host;`
 */
export async function startPlainNginx(
  program: string,
  upstream: string,
  directives: string,
): Promise<Pick<Nginx, 'origin' | 'close'>> {
  const folder = createFolder()
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const server = `
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    ${directives}
    location / {
      proxy_pass http://application;
    }`
  const close = await runNginx({ program, folder, server, upstreams: [upstream] }, () =>
    fetch(origin, { redirect: 'manual' }),
  )
  return { origin, close }
}

interface Settings {
  readonly program: string
  /** For its files. It is removed in the end. */
  readonly folder: string
  readonly server: string
  readonly upstreams: readonly string[]
}

function createFolder(): string {
  return mkdtempSync(join(tmpdir(), 'express-nginx-'))
}

/** Runs nginx. Resolves with what ends it, once it answers. */
async function runNginx(
  { program, folder, server, upstreams }: Settings,
  ask: () => Promise<unknown>,
): Promise<() => Promise<void>> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(each => `${each}_temp_path ${folder}/${each};`)
    .join(' ')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `
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
        ${server}
      }
    }`,
  )
  const child = spawn(program, ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const complaints: string[] = []
  child.stderr.on('data', chunk => complaints.push(String(chunk)))
  await untilUp(child, ask, complaints)
  return async () => {
    const ended = once(child, 'exit')
    child.kill('SIGQUIT')
    await ended
    rmSync(folder, { recursive: true })
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
function settings(folder: string, port: number): string {
  return `
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
