import { error } from '@sveltejs/kit'
import { probe } from '../../probe'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = () => {
  if (!probe.isInFront) error(404)
  return { text: probe.ran() }
}
