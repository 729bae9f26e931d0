import { text } from '@sveltejs/kit'
import { probe } from '../../probe'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = () => text(String(probe.count))
