export default defineEventHandler(async event => {
  // The router shows the same page at /Private.
  if (/^\/private\/?(?:\?|$)/i.test(event.path)) await auth.requireSession(event)
})
