import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router/dom';
import { Toasts } from '../ui/toast.tsx';
import { router } from './router.tsx';
import { followOtherTabs } from './state/other-tabs.ts';
import { createStore } from './state/store.ts';

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
