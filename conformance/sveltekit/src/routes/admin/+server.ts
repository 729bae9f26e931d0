import { text } from '@sveltejs/kit'
import type { RequestHandler } from './$types'

export const GET: RequestHandler = () => text('admin')
