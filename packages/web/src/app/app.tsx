import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router/dom';
import { Toasts } from '../ui/toast.tsx';
import { followOtherTabs } from './other-tabs.ts';
import { router } from './router.tsx';
import { createStore } from './store.ts';

const store = createStore();
followOtherTabs(store);

/** The whole app. */
export function App() {
  return (
    <Provider store={store}>
      <RouterProvider router={router} />
      <Toasts />
    </Provider>
  );
}
