import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('auth/*', 'routes/auth.ts'),
  route('private', 'routes/private.tsx'),
  route('admin', 'routes/admin.tsx'),
  route('login', 'routes/login.ts'),
  route('logout', 'routes/logout.ts'),
  route('rename', 'routes/rename.ts'),
  route('stream', 'routes/stream.ts'),
  route('still.txt', 'routes/still.ts'),
  route('api/me', 'routes/me.ts'),
  route('ran', 'routes/ran.ts'),
  route('files/*', 'routes/files.tsx'),
  route('item/:id', 'routes/item.ts'),
  route('only-ada', 'routes/only-ada.ts'),
  route('*', 'routes/any.ts'),
] satisfies RouteConfig
