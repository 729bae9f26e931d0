import { probe } from '../auth.server'

export const loader = () => new Response(`${probe.count}`)
