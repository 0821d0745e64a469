import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router/dom';
import { Toasts } from '../ui/toast.tsx';
import { router } from './router.tsx';
import { createStore } from './store.ts';

const store = createStore();

/** The whole app. */
export function App() {
  return (
    <Provider store={store}>
      <RouterProvider router={router} />
      <Toasts />
    </Provider>
  );
}
