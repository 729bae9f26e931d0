import { auth } from '../../auth'
import type { Actions } from './$types'

export const actions: Actions = {
  async default(event) {
    const form = await event.request.formData()
    const session = await auth.update(event, { name: form.get('name') })
    return { name: session?.user?.name }
  },
}
