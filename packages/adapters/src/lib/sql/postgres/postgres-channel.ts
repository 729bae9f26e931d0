import type { Kysely } from 'kysely'
import { keepListening, type Link } from '../../revocations/keep-listening.ts'
import { decodeRevocation } from '../../revocations/revocation-text.ts'
import { withTimeout } from '../../with-timeout.ts'
import type { Channel, Send } from '../open-database.ts'
import type { ListeningClient } from './listening-client.ts'
import { channelQuery, SAY } from './postgres-revocations.ts'

/** The options of a subscription to a channel. */
export interface ChannelOptions {
  readonly db: Kysely<unknown>
  /** The table that the channel belongs to. */
  readonly table: string
  /** Sends like all other statements: on other connections. */
  readonly send: Send
  readonly openClient: () => Promise<ListeningClient>
  readonly timeout: number
}

/** Watches on separate connections, which `close` closes. */
export function watchPostgres({ db, table, send, openClient, timeout }: ChannelOptions): Channel {
  const stops = new Set<() => Promise<void>>()
  let hasWarned = false

  /**
   * Checks that messages from other connections arrive. A pooler may have given this one to another client.
   */
  async function test(channel: string, waitFor: (text: string) => Promise<void>): Promise<void> {
    const text = `test ${crypto.randomUUID()}`
    const arrival = waitFor(text)
    await send(SAY.compile(db), [channel, text])
    await withTimeout(timeout, arrival).catch(error => {
      if (!hasWarned) warn()
      hasWarned = true
      throw error
    })
  }

  async function open(onText: (text: string) => void, onClosed: () => void): Promise<Link> {
    const query = channelQuery(table).compile(db)
    const { rows } = await send(query, query.parameters)
    const channel = rows[0]?.['channel']
    // The error of reading or writing explains how to create it.
    if (typeof channel !== 'string') throw new Error(`the table ${table} does not exist`)
    const client = await openClient()
    // A server that does not respond would never finish.
    const close = () => withTimeout(timeout, client.end()).catch(() => {})
    let onTest = (_: string) => {}
    client.on('error', () => onClosed())
    client.on('end', () => onClosed())
    client.on('notification', message => {
      const text = message?.payload ?? ''
      onTest(text)
      onText(text)
    })
    try {
      await withTimeout(timeout, client.connect())
      // This alone must not keep the process alive.
      client.unref?.()
      await withTimeout(timeout, client.query(`listen "${channel}"`))
      await test(channel, text => {
        return new Promise(resolve => {
          onTest = heard => heard === text && resolve()
        })
      })
    } catch (error) {
      await close()
      throw error
    }
    return { close }
  }

  const watch: Channel['watch'] = async (onEnded, onLost, onListening) => {
    const onText = (text: string) => {
      const revocation = decodeRevocation(text)
      if (revocation) onEnded(revocation)
    }
    const openLink = (onClosed: () => void) => open(onText, onClosed)
    const stopListening = await keepListening(openLink, onLost, onListening)
    const stop = async () => {
      stops.delete(stop)
      await stopListening()
    }
    stops.add(stop)
    return stop
  }

  return {
    watch,
    async close() {
      await Promise.all([...stops].map(stop => stop()))
    },
  }
}

function warn(): void {
  globalThis.process?.emitWarning?.(
    'the database does not deliver NOTIFY messages, as happens behind a pooler such as PgBouncer in transaction mode. Sessions ended in another process are noticed at the next poll. To be notified at once, give PostgresAdapter a url or a pool without that pooler.',
    { type: 'SiteAuthWarning', code: 'SITEAUTH_LISTEN' },
  )
}
