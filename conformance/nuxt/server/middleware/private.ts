export default defineEventHandler(async event => {
  if (event.path.split('?')[0] === '/private') await auth.requireSession(event)
})
