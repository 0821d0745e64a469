/** The entry of `/share/{share}#{secret}`. It has no code of accounts, and reads nothing that the browser stores. */
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './index.css';
import { createRoot } from 'react-dom/client';
import { LinkedPage } from './features/shared-page/linked-page.tsx';
import { followSystemTheme } from './features/shared-page/system-theme.ts';

followSystemTheme();
const root = document.getElementById('root');
if (root) createRoot(root).render(<LinkedPage />);
