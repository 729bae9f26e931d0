import { text } from '@sveltejs/kit'

export const prerender = false
export const GET = () => text('still')
