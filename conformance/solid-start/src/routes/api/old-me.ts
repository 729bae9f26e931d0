import { getSession } from '@siteauth/solid-start'
import type { APIEvent } from '@solidjs/start/server'
import { oldConfig } from '../../old-config'

export async function GET({ request }: APIEvent) {
  return Response.json(await getSession(request, oldConfig))
}
