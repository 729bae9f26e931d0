import { probe } from '../auth'

export const GET = () => new Response(`${probe.count}`)
